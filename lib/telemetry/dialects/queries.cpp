#include "telemetry/dialects/queries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "base/ascii.hpp"
#include "telemetry/dialects/dialect.hpp"
#include "telemetry/dialects/interpret.hpp"

namespace gpu::telemetry {
namespace {

using Scale = Windowed::Scale;

std::string name_pattern(std::string_view name, NameMatch match) {
  switch (match) {
    case NameMatch::exact:
      return std::string(name);
    case NameMatch::any_case:
      return fmt::format("(?i:{})", name);
    case NameMatch::any_prefix:
      return fmt::format(".*{}", name);
  }
  return {};
}

std::string selector(std::string_view pattern, std::string_view matcher) {
  return fmt::format(R"({{__name__=~"{}"{}{}}})", pattern, matcher.empty() ? "" : ",", matcher);
}

/// Selectors that take in names one by one, each as long as a query may be.
class Selectors {
 public:
  void add(std::string_view pattern, std::string_view matcher) {
    const std::string longer =
        pattern_.empty() ? std::string(pattern) : fmt::format("{}|{}", pattern_, pattern);
    const bool fits = length_in_url(selector(longer, matcher)) <= kLongestQuery;
    if (!pattern_.empty() && (matcher != matcher_ || !fits)) finish();
    pattern_ = pattern_.empty() ? std::string(pattern) : longer;
    matcher_ = matcher;
  }

  std::vector<std::string> finish() {
    if (!pattern_.empty()) queries_.push_back(selector(pattern_, matcher_));
    pattern_.clear();
    return queries_;
  }

 private:
  std::vector<std::string> queries_;
  std::string pattern_;
  std::string matcher_;
};

/// The labels that tell devices and nodes apart, and no owner.
constexpr std::string_view kIdentity =
    "UUID,uuid,gpu_uuid,gpu,gpu_id,gpu_index,index,device,pci_bus_id,pci_bdf,GPU_I_ID,"
    "GPU_I_PROFILE,gpu_i_id,gpu_i_profile,modelName,modelname,"
    "gpu_partition_id,gpu_compute_partition_type,card_series,sub_dev,com_intel_subdevice_id,"
    "accelerator_id,make,model,neuroncore,instance_id,deviceuuid,device_uuid,deviceidx,"
    "Serial,id,dev_name,hw_model,gpu_use_percent,"
    "node,kubernetes_node,nodename,node_name,nodeid,Hostname,hostname,instance,"
    "cluster,k8s_cluster,cluster_id,k8s_cluster_name";

/// The metric's name has to be a label of its own: functions over time drop the name.
constexpr std::string_view kMetric = "gpu_metric";

/// The series of one scale that have `matcher`.
std::string windowed_pattern(Scale scale, std::string_view matcher) {
  std::string pattern;
  for (const Dialect* dialect : dialects()) {
    if (dialect->matcher != matcher) continue;
    for (const Windowed& each : dialect->windowed)
      if (each.scale == scale) pattern += (pattern.empty() ? "" : "|") + std::string(each.pattern);
  }
  return pattern;
}

std::string devices_of(Scale scale) {
  std::vector<std::string_view> matchers;
  for (const Dialect* dialect : dialects())
    if (std::find(matchers.begin(), matchers.end(), dialect->matcher) == matchers.end())
      matchers.push_back(dialect->matcher);
  std::string series;
  for (const std::string_view matcher : matchers) {
    const std::string pattern = windowed_pattern(scale, matcher);
    if (pattern.empty()) continue;
    series += (series.empty() ? "" : " or ") + selector(pattern, matcher);
  }
  return fmt::format(R"q(max by({0},{1})(label_replace({2},"{0}","$1","__name__","(.+)")))q",
                     kMetric, kIdentity, series);
}

std::string named(std::string_view query, std::string_view ending) {
  return fmt::format(R"q(label_replace({},"__name__","$1{}","{}","(.+)"))q", query, ending,
                     kMetric);
}

/// Steps of a window: a minute, and of long ones at most 2,016.
std::chrono::seconds step_of(std::chrono::seconds window) {
  constexpr std::int64_t kMinute = 60;
  constexpr std::int64_t kLongest = 2016 * kMinute;
  const std::int64_t minutes = (window.count() + kLongest - 1) / kLongest;
  return std::chrono::seconds(kMinute * std::max<std::int64_t>(minutes, 1));
}

std::string range_text(std::chrono::seconds length, std::chrono::seconds step) {
  return fmt::format("[{}s:{}s]", length.count(), step.count());
}

/// For how long `use` was below `busy_from` at most as long as samples prove: between two steps a
/// device may have done anything, so a step less than what stands between the first and the last.
/// All of the window is known by one step more. Only of devices that were seen in all of it, so
/// that silence is not taken for rest.
std::string idle_query(std::string_view use, std::string_view busy_from,
                       std::chrono::seconds window) {
  const std::chrono::seconds step = step_of(window);
  const std::string range = range_text(window + step, step);
  const std::string busy = fmt::format("({} >= {})", use, busy_from);
  const std::string seen = fmt::format("count_over_time({}{})", use, range);
  return named(
      fmt::format("(0*{busy} or clamp((time()-max_over_time(timestamp({busy}){range}))-{step},0,"
                  "{all}) or clamp_max(({seen}-1)*{step},{all})) and {seen} >= {enough}",
                  fmt::arg("busy", busy), fmt::arg("range", range), fmt::arg("seen", seen),
                  fmt::arg("step", step.count()), fmt::arg("all", window.count()),
                  fmt::arg("enough", std::max<std::int64_t>(window / step, 2))),
      kIdleEnding);
}

}  // namespace

std::size_t length_in_url(std::string_view query) {
  std::size_t length = 0;
  for (const char c : query) {
    const bool is_plain =
        is_letter(c) || is_digit(c) || c == '-' || c == '.' || c == '_' || c == '~';
    length += is_plain ? 1 : 3;
  }
  return length;
}

std::vector<std::string> instant_queries() {
  Selectors selectors;
  for (const Dialect* dialect : dialects())
    for (const std::string_view name : dialect->metrics)
      selectors.add(name_pattern(name, dialect->match), dialect->matcher);
  return selectors.finish();
}

std::vector<std::string> window_queries(std::chrono::seconds window) {
  const std::chrono::seconds step = step_of(window);
  const std::string range = range_text(window, step);
  std::vector<std::string> queries;
  for (const Scale scale : {Scale::percent, Scale::ratio}) {
    const bool is_percent = scale == Scale::percent;
    // What no device can be is as good as no sample: counters break (NVIDIA/DCGM issue 199).
    const std::string use =
        fmt::format("({} <= {})", devices_of(scale), is_percent ? "100" : "1.01");
    queries.push_back(named(fmt::format("avg_over_time({}{})", use, range), kAverageEnding));
    queries.push_back(named(fmt::format("max_over_time({}{})", use, range), kHighestEnding));
    queries.push_back(idle_query(use, is_percent ? "5" : "0.05", window));
  }
  queries.push_back(
      named(fmt::format("max_over_time({}{})", devices_of(Scale::memory), range), kHighestEnding));
  return queries;
}

std::string age_query() {
  // Where two have the same labels, the first one's time is in the answer.
  std::string query;
  for (const Dialect* dialect : dialects())
    for (const std::string_view name : dialect->dated)
      query += fmt::format("{}timestamp({})", query.empty() ? "" : " or ", name);
  return query;
}

}  // namespace gpu::telemetry
