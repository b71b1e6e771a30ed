#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/error.hpp"
#include "manifest/fit/pod.hpp"
#include "manifest/kinds/dcgm.hpp"
#include "manifest/kinds/kinds.hpp"

namespace gpu::manifest {
namespace {

/// What the first rule records, and the others read: of what pods hold, in percent.
constexpr std::string_view kBusy = "pod_gpu:busy_percent:max";

constexpr std::int64_t kHotCelsius = 85;

/// No card is that hot: DCGM has no value then.
constexpr std::int64_t kNoCelsius = 1000;

/// Who holds what, and on which node, as templates of Prometheus.
constexpr std::string_view kHolder = "{{ $labels.namespace }}/{{ $labels.pod }}";
constexpr std::string_view kCard =
    "GPU {{ $labels.gpu }} of {{ or $labels.Hostname $labels.hostname }}";

struct Alert {
  std::string_view name;
  std::string expr;
  std::string lasts = {};  ///< "5m"; empty: it fires at once
  std::string_view severity;
  std::string summary;
  std::string description = {};
  Why why = {};
};

/// PromQL as a block of its own lines, where it has several.
std::string expr_text(std::string expr) {
  return expr.find('\n') == std::string::npos ? expr : expr + '\n';
}

Tree::Item rule_of(Alert alert) {
  Tree rule = Tree::map({{"alert", alert.name}, {"expr", expr_text(std::move(alert.expr))}});
  if (!alert.lasts.empty()) rule.set("for", alert.lasts);
  rule.set("labels", Tree::map({{"severity", alert.severity}}).on_one_line());
  Tree annotations = Tree::map({{"summary", alert.summary}});
  if (!alert.description.empty()) annotations.set("description", alert.description);
  rule.set("annotations", std::move(annotations));
  return {std::move(rule), std::move(alert.why)};
}

Tree::Item busy_rule() {
  return {Tree::map({{"record", kBusy}, {"expr", busy_percent(kHeld, kHolderLabels) + '\n'}}),
          {"how busy what pods hold is, in percent",
           "GPU_UTIL is missing with MIG, and on some cards the profiling metric stays 0 at full "
           "load, so the larger of the two counts.",
           "NVIDIA/dcgm-exporter#430, NVIDIA/dcgm-exporter#662"}};
}

Tree::Item idle_alert(const GenOptions& options) {
  const std::string window = idle_window(options);
  return rule_of(
      {.name = "GPUHeldButIdle",
       // Over 5 minutes, so that neither work between two evaluations nor a missed scrape is lost.
       .expr = fmt::format("max_over_time({}[5m]) < {}", kBusy, kIdlePercent),
       .lasts = window,
       .severity = "warning",
       .summary = fmt::format("{} has not used a GPU for {}", kHolder, window),
       .description = fmt::format("{} is held, and does nothing.", kCard),
       .why = {"", "A pod keeps its GPU until it ends, whether it uses it or not.", ""}});
}

Tree::Item underused_alert() {
  return rule_of(
      {.name = "GPUUnderused",
       .expr = fmt::format("avg_over_time({0}[6h]) >= {1} < 70\nand\n{0} offset 6h", kBusy,
                           kIdlePercent),
       .lasts = "15m",
       .severity = "info",
       .summary = fmt::format("{} uses a GPU for {{{{ printf \"%.0f\" $value }}}} %", kHolder),
       .description = fmt::format(
           "That is the mean of 6 hours, for {}. Slow loading of data, small batches, and a "
           "larger GPU than the work needs are the usual causes.",
           kCard),
       .why = {"", "`offset 6h` leaves out pods that have not run for 6 hours.", ""}});
}

Tree::Item memory_alert() {
  return rule_of({.name = "GPUMemoryNearlyFull",
                  .expr = memory_share(kHeld, kHolderLabels) + " > 0.98",
                  .lasts = "15m",
                  .severity = "info",
                  .summary = fmt::format("{} uses nearly all memory of a GPU", kHolder),
                  .description = fmt::format("{}: {{{{ $value | humanizePercentage }}}} is used. "
                                             "The next allocation may fail.",
                                             kCard)});
}

Tree usage_rules(const GenOptions& options) {
  return Tree::list({busy_rule(), idle_alert(options), underused_alert(), memory_alert()});
}

/// --hot. Throws Error{usage} for more than a card lives through: it would never fire.
std::int64_t hot_celsius(const GenOptions& options) {
  constexpr std::int64_t kMost = 125;
  const std::int64_t celsius = options.hot_celsius.value_or(kHotCelsius);
  if (celsius > kMost)
    throw Error(ErrorKind::usage, fmt::format("no GPU gets as hot as `--hot {}`", celsius),
                "it is a temperature in C: for example --hot 88");
  return celsius;
}

Tree::Item hot_alert(const GenOptions& options) {
  return rule_of(
      {.name = "GPUTooHot",
       .expr = fmt::format("max by ({}) (DCGM_FI_DEV_GPU_TEMP < {}) > {}", kCardLabels, kNoCelsius,
                           hot_celsius(options)),
       .lasts = "5m",
       .severity = "warning",
       .summary = fmt::format("{} has {{{{ $value }}}} C", kCard),
       .description = "A GPU that is too hot slows down. Check the cooling of the node."});
}

/// The metric is the last Xid for ever. An alert on its value would never end, and one with the
/// pod's labels would fire anew for each pod that gets the GPU.
Tree::Item xid_alert() {
  return rule_of(
      {.name = "GPUXidError",
       .expr = fmt::format(
           "max by ({0}, err_msg) (DCGM_FI_DEV_XID_ERRORS) > 0\n"
           "unless\n"
           "max by ({0}, err_msg) (last_over_time(DCGM_FI_DEV_XID_ERRORS[1h] offset 1h))\n"
           "  == max by ({0}, err_msg) (DCGM_FI_DEV_XID_ERRORS)",
           kCardLabels),
       .severity = "warning",
       .summary = fmt::format("Xid {{{{ $value }}}} on {}", kCard),
       .description =
           "{{ with $labels.err_msg }}{{ . }}. {{ end }}Xids 13, 31, 43 and 45 mostly come from "
           "the program, others from the card or its driver.",
       .why = {"fires for an hour: the metric keeps the last Xid until the exporter restarts",
               "The metric is the number of the last Xid and never goes back to 0. It is compared "
               "with what it was an hour ago.",
               "NVIDIA/dcgm-exporter#500"}});
}

Tree::Item remap_alert() {
  return rule_of(
      {.name = "GPURowRemapFailure",
       .expr = fmt::format("max by ({}) (DCGM_FI_DEV_ROW_REMAP_FAILURE) > 0", kCardLabels),
       .severity = "critical",
       .summary = fmt::format("{} cannot replace a row of its memory", kCard),
       .description = "Drain the node, reset the card, and have it replaced if it "
                      "stays so."});
}

Tree health_rules(const GenOptions& options) {
  return Tree::list({hot_alert(options), xid_alert(), remap_alert()});
}

Tree::Item exporter_alert() {
  return rule_of({.name = "GPUExporterDown",
                  .expr = R"(up{job=~".*dcgm-exporter.*"} == 0)",
                  .lasts = "10m",
                  .severity = "warning",
                  .summary = "the DCGM exporter at {{ $labels.instance }} cannot be scraped",
                  .description = "The GPUs{{ with $labels.node }} of {{ . }}{{ end }} are not "
                                 "measured."});
}

Tree::Item no_metrics_alert() {
  return rule_of(
      {.name = "GPUMetricsMissing",
       .expr = "absent(DCGM_FI_DEV_GPU_TEMP)\n"
               "and on ()\n"
               "sum(kube_node_status_allocatable{resource=~\"nvidia_com_(gpu|mig).*\"}) > 0",
       .lasts = "10m",
       .severity = "critical",
       .summary = "no GPU is measured, and nodes have GPUs",
       .description = "Check that the DCGM exporter runs, and that a ServiceMonitor selects it.",
       .why = {"", "A cluster whose GPU nodes are scaled to zero has nothing to measure.", ""}});
}

Tree::Item plugin_alert() {
  return rule_of(
      {.name = "GPUDevicePluginDown",
       .expr = "max by (namespace, daemonset) (\n"
               "  kube_daemonset_status_number_unavailable{daemonset=~\".*(nvidia|gpu).*device-"
               "plugin.*\"}\n"
               ") > 0",
       .lasts = "10m",
       .severity = "critical",
       .summary = "the device plugin is down on {{ $value }} node{{ if gt $value 1.0 }}s{{ end }}",
       .description = "New pods get no GPU there. Its DaemonSet is {{ $labels.namespace }}/"
                      "{{ $labels.daemonset }}."});
}

Tree::Item pending_alert() {
  return rule_of({.name = "GPUPodPending",
                  .expr =
                      "max by (namespace, pod) (kube_pod_status_phase{phase=\"Pending\"}) == 1\n"
                      "and on (namespace, pod)\n"
                      "kube_pod_container_resource_requests{resource=~\"(nvidia|amd)_com_.*\"} > 0",
                  .lasts = "30m",
                  .severity = "warning",
                  .summary = fmt::format("{} waits for GPUs", kHolder),
                  .description = "The reason: kubectl gpu why-pending {{ $labels.pod }} -n "
                                 "{{ $labels.namespace }}"});
}

Tree supply_rules() {
  return Tree::list({exporter_alert(), no_metrics_alert(), plugin_alert(), pending_alert()});
}

Documents make_alerts(GenRequest& request) {
  const GenOptions& options = request.options;
  Tree object = object_of("monitoring.coreos.com/v1", "PrometheusRule",
                          metadata_of(request, options.name, release_label(options)));
  Tree groups = Tree::list();
  groups.push(Tree::map({{"name", "gpu-usage"}, {"rules", usage_rules(options)}}),
              {"namespace and pod are those of the pod that holds the GPU: scrape dcgm-exporter "
               "with honorLabels: true",
               "Without honorLabels they are exported_namespace and exported_pod, and the rules "
               "would speak of the exporter.",
               "NVIDIA/dcgm-exporter#379"});
  groups.push(Tree::map({{"name", "gpu-health"}, {"rules", health_rules(options)}}));
  groups.push(Tree::map({{"name", "gpu-supply"}, {"rules", supply_rules()}}),
              {"of kube-state-metrics, except for the exporter's",
               "What is pending and which DaemonSets are down is not known to dcgm-exporter.", ""});
  object.set("spec", Tree::map({{"groups", std::move(groups)}}));
  request.note(
      "the rules work where dcgm-exporter is scraped with honorLabels: true, as `gen "
      "servicemonitor` does, and where kube-state-metrics runs");
  return {std::move(object)};
}

}  // namespace

const GenKind kAlertsKind = {
    .word = "alerts",
    .kind = "PrometheusRule",
    .group = "monitoring.coreos.com",
    .summary = "alerts on idle, hot and broken GPUs, and on pods that wait for them",
    .example = "--idle-after 2h --hot 88",
    .install = "the Prometheus operator, for example with the chart kube-prometheus-stack",
    .name = {.form = NameForm::dns_1123, .most = 63},
    .options = {Option::release, Option::idle, Option::hot},
    .make = make_alerts,
};

}  // namespace gpu::manifest
