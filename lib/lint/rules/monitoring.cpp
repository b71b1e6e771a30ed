#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "base/contains.hpp"
#include "lint/rules/rules.hpp"

namespace gpu::lint {
namespace {

constexpr std::string_view kCrds =
    "https://github.com/prometheus-operator/prometheus-operator/tree/v0.93.0";
constexpr std::string_view kRelease = "https://github.com/NVIDIA/gpu-operator/issues/363";

constexpr auto kRules = std::to_array<Rule>({
    {"duration-invalid", Severity::error, "a time is not written as Prometheus reads it",
     "The API server refuses it: a time is a text of whole numbers with their units, the largest "
     "first: 1d, 5m, 1m30s, 500ms.",
     kCrds},
    {"monitor-port-number", Severity::error, "a port is a number instead of a name",
     "port is the name of a port. The API server refuses a number; as a text it is accepted, and "
     "no target is found.",
     kCrds},
    {"rule-alert-and-record", Severity::error, "a rule has both of alert and record, or none",
     "The CRD accepts it. The operator's webhook refuses it, or Prometheus does not load the rule.",
     "https://prometheus.io/docs/prometheus/latest/configuration/recording_rules/"},
    {"alert-on-metric-off-by-default", Severity::warning,
     "a rule reads a metric that dcgm-exporter leaves out by default",
     "The metric does not exist unless the list of counters of dcgm-exporter has it, and the alert "
     "never fires.",
     "https://github.com/NVIDIA/dcgm-exporter/blob/main/etc/default-counters.csv"},
    {"alert-resource-spelling", Severity::error,
     "a rule names a resource as no metric of kube-state-metrics does",
     "kube-state-metrics writes nvidia_com_gpu for the resource nvidia.com/gpu. No series matches, "
     "and the alert never fires.",
     "https://github.com/kubernetes/kube-state-metrics"},
    {"monitor-honor-labels-missing", Severity::advice,
     "the labels of GPU metrics are renamed when they are scraped",
     "Without honorLabels, namespace and pod of the workload become exported_namespace and "
     "exported_pod, and most dashboards and alerts show the exporter.",
     "https://github.com/NVIDIA/dcgm-exporter/issues/379"},
    {"monitor-release-label-missing", Severity::advice,
     "the object has no label that Prometheus may select it by",
     "The Prometheus of kube-prometheus-stack reads only objects with the label release of its own "
     "Helm release.",
     kRelease},
});

enum RuleAt : std::size_t {
  kDuration,
  kPort,
  kAlertAndRecord,
  kOffByDefault,
  kSpelling,
  kHonorLabels,
  kReleaseLabel,
};

/// Prometheus's `^(0|(([0-9]+)y)?(([0-9]+)w)?...(([0-9]+)ms)?)$`.
bool is_duration(std::string_view text) {
  if (text == "0") return true;
  constexpr auto kUnits = std::to_array<std::string_view>({"y", "w", "d", "h", "m", "s", "ms"});
  std::size_t next = 0;
  while (!text.empty()) {
    std::size_t digits = 0;
    while (digits < text.size() && is_digit(text[digits])) ++digits;
    std::size_t letters = digits;
    while (letters < text.size() && is_letter(text[letters])) ++letters;
    const auto unit = std::find(kUnits.begin() + static_cast<std::ptrdiff_t>(next), kUnits.end(),
                                text.substr(digits, letters - digits));
    if (digits == 0 || unit == kUnits.end()) return false;
    next = static_cast<std::size_t>(unit - kUnits.begin()) + 1;
    text.remove_prefix(letters);
  }
  return true;
}

/// "5m" for "5 min", "15s" for 15; empty where it is not clear what was meant.
std::string duration_meant(std::string_view text) {
  text = trimmed(text);
  std::size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  const std::string unit = lower_case(trimmed(text.substr(digits)));
  if (digits == 0) return {};
  const std::string number(text.substr(0, digits));
  if (unit.empty()) return number + "s";
  constexpr auto kWords = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"s", "s"},   {"sec", "s"},  {"secs", "s"}, {"second", "s"}, {"seconds", "s"},
       {"m", "m"},   {"min", "m"},  {"mins", "m"}, {"minute", "m"}, {"minutes", "m"},
       {"h", "h"},   {"hr", "h"},   {"hour", "h"}, {"hours", "h"},  {"d", "d"},
       {"day", "d"}, {"days", "d"}, {"w", "w"},    {"week", "w"},   {"weeks", "w"},
       {"ms", "ms"}, {"msec", "ms"}});
  for (const auto& [word, meant] : kWords)
    if (unit == word) return number + std::string(meant);
  return {};
}

void check_duration(const json& object, const char* key, const Pointer& at, Findings& findings) {
  const json& value = value_at(object, Pointer() / key);
  if (value.is_null() || (value.is_string() && is_duration(value.get_ref<const std::string&>())))
    return;
  const std::string text = written(value);
  const std::string meant = duration_meant(text);
  findings.add(
      kRules[kDuration], at / key, fmt::format("{} is {}, which is no time", key, text),
      meant.empty() ? "write a time, as 30s or 5m" : fmt::format("write {}", meant),
      meant.empty() ? std::nullopt : std::optional(Edit{Edit::Kind::set, at / key, meant}));
}

void check_release(const ObjectSubject& object, Findings& findings) {
  const json& labels = object.value("/metadata/labels");
  if (labels.is_object() && labels.contains("release")) return;
  findings.add(kRules[kReleaseLabel], object.in_document("/metadata/labels"),
               fmt::format("the {} has no label release", object.name.kind),
               "write the label release with the Helm release of Prometheus, as "
               "kube-prometheus-stack");
}

/// Monitors of services, and of pods.
class Monitor {
 public:
  Monitor(const ObjectSubject& object, const char* list, Findings& findings)
      : object_(object), endpoints_(Pointer("/spec") / list), findings_(findings) {}

  void check() {
    const bool is_exporter = selects_exporter();
    bool has_gpus = is_exporter;
    const json& endpoints = value_at(object_.object, endpoints_);
    for (std::size_t i = 0; endpoints.is_array() && i < endpoints.size(); ++i) {
      const json& each = endpoints[i];
      const Pointer at = object_.at / endpoints_ / i;
      for (const char* const key : {"interval", "scrapeTimeout"})
        check_duration(each, key, at, findings_);
      check_port(each, at);
      const bool is_gpu = is_exporter || text_at(each, "/port") == "gpu-metrics";
      if (is_gpu && each.is_object() && !each.contains("honorLabels"))
        findings_.add(kRules[kHonorLabels], at / "honorLabels",
                      "namespace and pod of the workload are renamed", "write honorLabels: true",
                      Edit{Edit::Kind::set, at / "honorLabels", true});
      has_gpus = has_gpus || is_gpu;
    }
    if (has_gpus) check_release(object_, findings_);
  }

 private:
  [[nodiscard]] bool selects_exporter() const {
    const json& labels = object_.value("/spec/selector/matchLabels");
    if (!labels.is_object()) return false;
    return std::any_of(labels.begin(), labels.end(), [](const json& value) {
      return value.is_string() && contains(value.get_ref<const std::string&>(), "dcgm-exporter");
    });
  }

  void check_port(const json& endpoint, const Pointer& at) {
    const json& port = value_at(endpoint, Pointer("/port"));
    const std::string text = written(port);
    if (port.is_null() || !whole_number(text)) return;
    const bool is_service = object_.name.kind == "ServiceMonitor";
    const char* const number = is_service ? "targetPort" : "portNumber";
    const bool can_rename = port.is_number() && is_service && !endpoint.contains(number);
    findings_.add(
        kRules[kPort], at / "port", fmt::format("port is {}, and not the name of a port", text),
        fmt::format("write the name of the port, or {}: {}", number, text),
        can_rename ? std::optional(Edit{Edit::Kind::rename, at / "port", number}) : std::nullopt);
  }

  const ObjectSubject& object_;
  Pointer endpoints_;
  Findings& findings_;
};

bool is_name_part(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == ':'; }

/// What the list of counters of dcgm-exporter has as a comment.
bool is_off_by_default(std::string_view metric) {
  constexpr std::string_view kField = "DCGM_FI_DEV_";
  if (metric == "DCGM_EXP_XID_ERRORS_COUNT") return true;
  if (!metric.starts_with(kField)) return false;
  metric.remove_prefix(kField.size());
  return metric.starts_with("ECC_") || metric.ends_with("_VIOLATION") ||
         metric.starts_with("RETIRED_") ||
         (metric.starts_with("NVLINK_") && contains(metric, "_ERROR_COUNT"));
}

/// The metrics of an expression that are off by default, each once.
std::vector<std::string> off_metrics(std::string_view expr) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < expr.size();) {
    std::size_t end = i;
    while (end < expr.size() && is_name_part(expr[end])) ++end;
    const std::string name(expr.substr(i, end - i));
    if (is_off_by_default(name) && std::find(found.begin(), found.end(), name) == found.end())
      found.push_back(name);
    i = std::max(end, i + 1);
  }
  return found;
}

/// The expression with the resource as kube-state-metrics writes it; empty where it is so already.
std::string with_resource_spelled(std::string expr) {
  constexpr std::string_view kWritten = "\"nvidia.com/gpu\"";
  bool is_changed = false;
  for (const std::string_view op : {"resource=", "resource=~"}) {
    const std::string part = std::string(op) + std::string(kWritten);
    for (std::size_t at = expr.find(part); at != std::string::npos; at = expr.find(part, at)) {
      expr.replace(at + op.size(), kWritten.size(), "\"nvidia_com_gpu\"");
      is_changed = true;
    }
  }
  return is_changed ? expr : std::string();
}

/// Whether it reads metrics of GPUs.
bool check_rule(const json& rule, const Pointer& at, Findings& findings) {
  if (!rule.is_object()) return false;
  check_duration(rule, "for", at, findings);
  check_duration(rule, "keep_firing_for", at, findings);
  const bool has_alert = !text_at(rule, "/alert").empty();
  const bool has_record = !text_at(rule, "/record").empty();
  if (has_alert == has_record)
    findings.add(kRules[kAlertAndRecord], at / (has_alert ? "record" : "alert"),
                 has_alert ? fmt::format("a rule has alert {} and record {}",
                                         text_at(rule, "/alert"), text_at(rule, "/record"))
                           : std::string("a rule has neither alert nor record"),
                 has_alert ? "write two rules" : "write alert with a name");
  const std::string expr(text_at(rule, "/expr"));
  for (const std::string& metric : off_metrics(expr))
    findings.add(kRules[kOffByDefault], at / "expr",
                 fmt::format("dcgm-exporter leaves {} out by default", metric),
                 "add the metric to the counters of dcgm-exporter");
  if (contains(expr, "kube_"))
    if (const std::string meant = with_resource_spelled(expr); !meant.empty())
      findings.add(kRules[kSpelling], at / "expr",
                   "no metric of kube-state-metrics has the resource nvidia.com/gpu",
                   "write nvidia_com_gpu", Edit{Edit::Kind::set, at / "expr", meant});
  return contains(expr, "DCGM_") || contains(expr, "nvidia_com_");
}

void check_rules(const ObjectSubject& object, Findings& findings) {
  const json& groups = object.value("/spec/groups");
  bool is_of_gpus = false;
  for (std::size_t i = 0; groups.is_array() && i < groups.size(); ++i) {
    const Pointer at = object.in_document("/spec/groups") / i;
    check_duration(groups[i], "interval", at, findings);
    const json& rules = value_at(groups[i], Pointer("/rules"));
    for (std::size_t k = 0; rules.is_array() && k < rules.size(); ++k)
      if (check_rule(rules[k], at / "rules" / k, findings)) is_of_gpus = true;
  }
  if (is_of_gpus) check_release(object, findings);
}

}  // namespace

std::span<const Rule> monitoring_rules() { return kRules; }

void check_monitoring(const ObjectSubject& object, Findings& findings) {
  constexpr const char* kGroup = "monitoring.coreos.com";
  if (object.is("ServiceMonitor", kGroup)) Monitor(object, "endpoints", findings).check();
  if (object.is("PodMonitor", kGroup)) Monitor(object, "podMetricsEndpoints", findings).check();
  if (object.is("PrometheusRule", kGroup)) check_rules(object, findings);
}

}  // namespace gpu::lint
