#include "telemetry/live/custom_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/quantity.hpp"
#include "kube/http/server_error.hpp"
#include "kube/read/list_path.hpp"
#include "model/holdings/holding.hpp"
#include "model/snapshot/requests.hpp"
#include "telemetry/dialects/adapter_metric.hpp"
#include "telemetry/exporters/scrape_json.hpp"

namespace gpu::telemetry {
namespace {

using nlohmann::json;

constexpr std::string_view kGroup = "/apis/custom.metrics.k8s.io/";
constexpr std::array<std::string_view, 2> kVersions = {"v1beta2", "v1beta1"};
constexpr std::chrono::seconds kLimit{10};
/// How many metrics are tried where the better ones know no pods.
constexpr std::size_t kMostMetrics = 3;

std::string text_at(const json& object, const char* pointer) {
  const json::json_pointer at(pointer);
  return object.contains(at) && object.at(at).is_string() ? object.at(at).get<std::string>() : "";
}

/// Refers to `object`.
const json& array_at(const json& object, std::string_view name) {
  static const json kNone = json::array();
  if (!object.is_object()) return kNone;
  const auto found = object.find(name);
  return found != object.end() && found->is_array() ? *found : kNone;
}

struct OnePod {
  Vendor vendor = Vendor::nvidia;
  std::string node;
  std::int64_t gpus = 0;  ///< where it is 1, a sum over them and an average are the same
};

OnePod gpus_of(const Pod& pod) {
  OnePod one{.node = pod.node_name};
  for (const auto& [name, amount] : effective_requests(pod)) {
    const auto resource = gpu_resource(name);
    if (!resource || resource->is_memory) continue;
    one.vendor = resource->vendor;
    one.gpus = capped_sum(one.gpus, amount.value());
  }
  return one;
}

using Pods = std::map<std::string, OnePod, std::less<>>;  ///< by NAMESPACE/POD

/// Those that hold GPUs.
Pods pods_in(const Snapshot& snapshot) {
  Pods pods;
  for (const Pod& pod : snapshot.pods)
    if (is_gpu_pod(pod) && !is_finished(pod) && !pod.node_name.empty())
      pods.emplace(pod.ns + "/" + pod.name, gpus_of(pod));
  return pods;
}

std::string pod_of(const Series& series) {
  return std::string(value_of(series.labels, "namespace")) + "/" +
         std::string(value_of(series.labels, "pod"));
}

/// An item of a MetricValueList, as a series would tell it.
std::optional<Series> value_in(const json& item, const std::string& metric) {
  const std::string kind = text_at(item, "/describedObject/kind");
  if (!kind.empty() && kind != "Pod") return std::nullopt;
  const std::string ns = text_at(item, "/describedObject/namespace");
  const std::string name = text_at(item, "/describedObject/name");
  const auto quantity = Quantity::parse(text_at(item, "/value"));
  if (ns.empty() || name.empty() || !quantity) return std::nullopt;
  return Series{.name = metric,
                .labels = {{"namespace", ns}, {"pod", name}},
                .value = static_cast<double>(quantity->milli_value()) / 1000,
                .at = parse_time(text_at(item, "/timestamp"))};
}

/// What values of one metric say of `pods`.
struct PodUse {
  std::vector<Sample> samples;
  int told = 0;
  int with_several = 0;  ///< GPUs: not told of
  int undecided = 0;     ///< per cent or ratio: not told of
};

void add_sample(PodUse& use, const OnePod& pod, const Series& value, double ratio) {
  Sample sample{.source = MetricSource::custom,
                .node = pod.node,
                .vendor = pod.vendor,
                .pod_only = pod_of(value),
                .at = value.at};
  sample.measures.kind = UtilizationKind::adapter;
  if (ratio >= 0 && ratio <= 1) {
    sample.measures.utilization = ratio;
    ++use.told;
  } else {
    sample.doubts.push_back(fmt::format("{} is {}", value.name, value.value));
  }
  use.samples.push_back(std::move(sample));
}

/// Pods that have several values of one metric: nobody knows which is theirs.
std::set<std::string> told_differently(const std::vector<Series>& values) {
  std::map<std::string, double> first;
  std::set<std::string> unclear;
  for (const Series& value : values) {
    const auto [at, is_new] = first.emplace(pod_of(value), value.value);
    if (!is_new && !(at->second == value.value)) unclear.insert(at->first);
  }
  return unclear;
}

PodUse use_of(const Pods& pods, AdapterScale scale, const std::vector<Series>& values) {
  const bool is_percent =
      scale == AdapterScale::percent ||
      (scale == AdapterScale::not_told &&
       std::any_of(values.begin(), values.end(), [](const Series& one) { return one.value > 1; }));
  const bool is_told = scale != AdapterScale::not_told || is_percent;
  PodUse use;
  const std::set<std::string> unclear = told_differently(values);
  for (const Series& value : values) {
    const auto pod = pods.find(pod_of(value));
    if (pod == pods.end() || unclear.contains(pod->first)) continue;
    // Nothing is nothing, in any unit and of any number of GPUs.
    if (value.value != 0 && pod->second.gpus != 1)
      ++use.with_several;
    else if (value.value != 0 && !is_told)
      ++use.undecided;
    else
      add_sample(use, pod->second, value, is_percent ? value.value / 100 : value.value);
  }
  for (const std::string& name : unclear)
    if (const auto pod = pods.find(name); pod != pods.end())
      use.samples.push_back({.source = MetricSource::custom,
                             .node = pod->second.node,
                             .vendor = pod->second.vendor,
                             .pod_only = name,
                             .doubts = {values.front().name + " is reported several times"}});
  return use;
}

class CustomMetrics {
 public:
  explicit CustomMetrics(kube::CollectContext& reading)
      : reading_(reading), snapshot_(reading.snapshot()) {}

  bool read() {
    pods_ = pods_in(snapshot_);
    if (pods_.empty() && !is_asked_for()) return false;
    const std::vector<AdapterMetric> metrics = find_metrics();
    for (std::size_t i = 0; i < metrics.size() && i < kMostMetrics; ++i)
      if (read_metric(metrics[i])) break;
    tell_of_doubts();
    if (is_asked_for() && !metrics.empty()) tell_of_silence(metrics.front().name);
    return told_ > 0;
  }

 private:
  /// By --metrics: then it says what it looked for, whatever it found.
  [[nodiscard]] bool is_asked_for() const {
    return reading_.needs().metrics.choice == kube::MetricsChoice::custom;
  }

  /// Those that are served, best first.
  std::vector<AdapterMetric> find_metrics() {
    std::vector<AdapterMetric> metrics;
    std::optional<kube::Reply> failed;
    for (const std::string_view version : kVersions) {
      version_ = version;
      const kube::Reply reply =
          reading_.client().fetch(request_for(std::string(kGroup) + std::string(version)));
      if (reply.ok()) {
        metrics = metrics_in(json::parse(reply.body, nullptr, false));
        if (metrics.empty()) tell_of_no_metric();
        return metrics;
      }
      if (reply.status != 404) failed = reply;
    }
    tell_of_no_api(failed);
    return metrics;
  }

  static std::vector<AdapterMetric> metrics_in(const json& list) {
    std::vector<AdapterMetric> metrics;
    for (const json& resource : array_at(list, "resources"))
      if (auto metric = adapter_metric(text_at(resource, "/name")))
        metrics.push_back(std::move(*metric));
    std::stable_sort(
        metrics.begin(), metrics.end(),
        [](const AdapterMetric& a, const AdapterMetric& b) { return a.rank < b.rank; });
    return metrics;
  }

  [[nodiscard]] kube::Request request_for(std::string path) const {
    return {.path = std::move(path),
            .on_throttle = kube::OnThrottle::report,
            .limit = kLimit,
            .answerer = kube::Answerer::behind_proxy,
            .deadline = reading_.needs().metrics.deadline};
  }

  /// Whether `metric` tells of any of the pods.
  bool read_metric(const AdapterMetric& metric) {
    std::set<std::string> namespaces;
    for (const auto& [name, pod] : pods_) namespaces.insert(name.substr(0, name.find('/')));
    std::vector<kube::Request> requests;
    for (const std::string& ns : namespaces)
      requests.push_back(request_for(std::string(kGroup) + version_ + "/namespaces/" +
                                     kube::percent_encoded(ns) + "/pods/*/" +
                                     kube::percent_encoded(metric.name)));
    std::vector<Series> values;
    const std::vector<kube::Reply> replies = reading_.client().fetch(requests);
    auto ns = namespaces.begin();
    for (const kube::Reply& reply : replies) take_reply(reply, metric.name, *ns++, values);
    return add_values(metric, values);
  }

  void take_reply(const kube::Reply& reply, const std::string& metric, std::string_view ns,
                  std::vector<Series>& values) {
    if (!reply.ok()) {
      // NotFound: no series of this metric has a pod of that namespace.
      if (reply.status != 404 && !refusal_)
        refusal_ = error_of(reply, reading_.client().connection());
      return;
    }
    const json list = json::parse(reply.body, nullptr, false);
    for (const json& item : array_at(list, "items"))
      if (auto value = value_in(item, metric);
          value && value_of(value->labels, "namespace") == ns && pods_.contains(pod_of(*value)))
        values.push_back(std::move(*value));
  }

  bool add_values(const AdapterMetric& metric, const std::vector<Series>& values) {
    if (values.empty()) return false;
    PodUse use = use_of(pods_, metric.scale, values);
    std::move(use.samples.begin(), use.samples.end(), std::back_inserter(snapshot_.samples));
    told_ += use.told;
    with_several_ += use.with_several;
    undecided_ += use.undecided;
    if (use.undecided > 0) undecided_name_ = metric.name;
    if (reading_.needs().on_object)
      reading_.tell(scrape_json(values, {.source = MetricSource::custom,
                                         .exporter = {},
                                         .node = {},
                                         .read_at = std::chrono::floor<std::chrono::seconds>(
                                             std::chrono::system_clock::now())}),
                    kScrapeVersion, kScrapeKind);
    return true;
  }

  void tell_of_no_api(const std::optional<kube::Reply>& failed) {
    if (failed) {
      const Error error = error_of(*failed, reading_.client().connection());
      add_gap("custom.metrics.k8s.io cannot be read", error.message(), error.help());
    } else if (is_asked_for()) {
      add_gap("this cluster serves no custom.metrics.k8s.io", "no adapter is registered for it",
              "prometheus-adapter or the cloud's own adapter serves it");
    }
  }

  void tell_of_no_metric() {
    if (!is_asked_for()) return;
    add_gap("custom.metrics.k8s.io serves no use of GPUs by pod",
            "none of its metrics of pods has a name such as DCGM_FI_DEV_GPU_UTIL, duty_cycle, or "
            "gpu_utilization",
            "kubectl get --raw /apis/custom.metrics.k8s.io/v1beta1");
  }

  /// Metrics there are, and none of them is of a pod that holds GPUs.
  void tell_of_silence(const std::string& metric) {
    if (told_ > 0 || refusal_ || with_several_ > 0 || undecided_ > 0) return;
    if (pods_.empty())
      add_gap("custom.metrics.k8s.io reports pods, and none that holds GPUs is here",
              "it serves " + metric, "");
    else
      add_gap("custom.metrics.k8s.io reports nothing about the pods that hold GPUs",
              fmt::format("looked for {} of {} pod{}", metric, pods_.size(),
                          pods_.size() == 1 ? "" : "s"),
              "does the adapter's rule keep the labels of pods?");
  }

  void tell_of_doubts() {
    if (refusal_)
      add_gap("some metrics of pods cannot be read", refusal_->message(), refusal_->help());
    if (with_several_ > 0)
      add_gap(fmt::format("use of {} {} with several GPUs, or with claims, is not shown",
                          with_several_, with_several_ == 1 ? "pod" : "pods"),
              "custom.metrics.k8s.io does not say whether a value is a sum or an average", "");
    if (undecided_ > 0)
      add_gap(
          fmt::format("use of {} {} is not shown", undecided_, undecided_ == 1 ? "pod" : "pods"),
          fmt::format("no value of {} is above 1, so it may be per cent or a ratio",
                      undecided_name_),
          "an adapter's rule that calls it gpu_utilization_percent or gpu_utilization_ratio "
          "would tell");
  }

  void add_gap(std::string what, std::string why, std::string help) {
    snapshot_.gaps.push_back(
        {.what = std::move(what), .why = std::move(why), .help = std::move(help)});
  }

  kube::CollectContext& reading_;
  Snapshot& snapshot_;
  Pods pods_;
  std::string version_;
  std::optional<Error> refusal_;
  int told_ = 0;
  int with_several_ = 0;
  int undecided_ = 0;
  std::string undecided_name_;
};

}  // namespace

std::optional<std::string> adapter_name(std::string_view name) {
  while (!name.empty()) {
    const std::size_t bar = name.find('|');
    if (adapter_metric("pods/" + std::string(name.substr(0, bar))))
      return std::string(name.substr(0, bar));
    name = bar == std::string_view::npos ? std::string_view() : name.substr(bar + 1);
  }
  return std::nullopt;
}

std::vector<Sample> custom_samples(const std::vector<Series>& values, const Snapshot& snapshot) {
  if (values.empty()) return {};
  const auto metric = adapter_metric("pods/" + values.front().name);
  const bool is_one = std::all_of(values.begin(), values.end(), [&](const Series& value) {
    return value.name == values.front().name;
  });
  if (!metric || !is_one) return {};
  return use_of(pods_in(snapshot), metric->scale, values).samples;
}

bool read_custom_metrics(kube::CollectContext& reading) { return CustomMetrics(reading).read(); }

}  // namespace gpu::telemetry
