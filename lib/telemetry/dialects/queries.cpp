#include "telemetry/dialects/queries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/ascii.hpp"
#include "telemetry/dialects/dialect.hpp"
#include "telemetry/dialects/interpret.hpp"

namespace gpu::telemetry {
namespace {

using std::chrono::seconds;
using Name = std::string_view;

// Names that others write too come with a label that only the dialect's series have.
constexpr std::string_view kOfXpumd = R"(pci_bdf!="")";
constexpr std::string_view kOfGke = R"(accelerator_id!="")";

/// A dialect and what its series have besides their names, where names alone are everybody's.
struct Source {
  const Dialect* dialect;
  std::string_view matcher;
};

const std::array<Source, 10>& sources() {
  static const std::array<Source, 10> kSources = {{
      {&kDcgm, {}},
      {&kNvidiaSmi, {}},
      {&kHami, {}},
      {&kXpuManager, {}},
      {&kXpumd, kOfXpumd},
      {&kGaudi, {}},
      {&kTpu, kOfGke},
      {&kNeuron, {}},
      {&kAllSmi, {}},
      {&kAmd, {}},
  }};
  return kSources;
}

std::string name_pattern(Name name, NameMatch match) {
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

/// What a metric is in, for thresholds; its dialect knows the rest.
enum class Scale { percent, ratio, memory };

struct Windowed {
  Name pattern;
  Scale scale;
  std::string_view matcher = {};
};

// What is worth a look back: use, by the names of every dialect, and memory held. Windows of what
// several rows of a device add up to (dies, parts of memory) are left out: the highest row is not
// the device's.
constexpr std::array<Windowed, 28> kWindowed = {{
    {"(?i:DCGM_FI_DEV_GPU_UTIL)", Scale::percent},
    {"DCGM_FI_DEV_GPU_UTIL_RATIO", Scale::percent},  // the same field: still per cent
    {"dcgm_gpu_utilization", Scale::percent},
    {".*gpu_gfx_activity", Scale::percent},
    {"amd_gpu_use_percent", Scale::percent},
    {"habanalabs_utilization", Scale::percent},
    {"all_smi_gpu_utilization", Scale::percent},
    {"HostCoreUtilization", Scale::percent},
    {"hami_host_gpu_utilization_ratio", Scale::percent},  // 0 to 100, whatever its name
    {"(?i:DCGM_FI_PROF_GR_ENGINE_ACTIVE)", Scale::ratio},
    {"DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO", Scale::ratio},
    {"nvidia_smi_utilization_gpu_ratio", Scale::ratio},
    {"xpum_engine_ratio", Scale::ratio},
    {"xpum_engine_group_ratio", Scale::ratio},
    {"hw_gpu_utilization_ratio", Scale::ratio, kOfXpumd},
    {"neuroncore_utilization_ratio", Scale::ratio},
    {"(?i:DCGM_FI_DEV_FB_USED)", Scale::memory},
    {"dcgm_fb_used", Scale::memory},
    {".*gpu_used_vram", Scale::memory},
    {"habanalabs_memory_used_bytes", Scale::memory},
    {"all_smi_gpu_memory_used_bytes", Scale::memory},
    {"nvidia_smi_memory_used_bytes", Scale::memory},
    {"HostGPUMemoryUsage", Scale::memory},
    {"hami_host_gpu_memory_used_bytes", Scale::memory},
    {"duty_cycle", Scale::percent, kOfGke},
    {"duty_cycle_node", Scale::percent, kOfGke},
    {"memory_used", Scale::memory, kOfGke},
    {"memory_used_node", Scale::memory, kOfGke},
}};

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

std::string devices_of(Scale scale) {
  std::string series;
  for (const std::string_view matcher : {std::string_view{}, kOfXpumd, kOfGke}) {
    std::string pattern;
    for (const Windowed& each : kWindowed) {
      if (each.scale != scale || each.matcher != matcher) continue;
      pattern += pattern.empty() ? "" : "|";
      pattern += each.pattern;
    }
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
seconds step_of(seconds window) {
  constexpr std::int64_t kMinute = 60;
  constexpr std::int64_t kLongest = 2016 * kMinute;
  const std::int64_t minutes = (window.count() + kLongest - 1) / kLongest;
  return seconds(kMinute * std::max<std::int64_t>(minutes, 1));
}

std::string range_text(seconds length, seconds step) {
  return fmt::format("[{}s:{}s]", length.count(), step.count());
}

/// For how long `use` was below `busy_from` at most as long as samples prove: between two steps a
/// device may have done anything, so a step less than what stands between the first and the last.
/// All of the window is known by one step more. Only of devices that were seen in all of it, so
/// that silence is not taken for rest.
std::string idle_query(std::string_view use, std::string_view busy_from, seconds window) {
  const seconds step = step_of(window);
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
  for (const Source& source : sources()) {
    for (const Name name : source.dialect->metrics)
      selectors.add(name_pattern(name, source.dialect->match), source.matcher);
  }
  return selectors.finish();
}

std::vector<std::string> window_queries(seconds window) {
  const seconds step = step_of(window);
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
  // One metric of each exporter that stands on all its devices would do, but a site may have left
  // it out. Where two have the same labels, the first one's time is in the answer.
  static constexpr std::array<Name, 34> kOften = {
      "DCGM_FI_DEV_GPU_UTIL",
      "DCGM_FI_DEV_GPU_UTIL_RATIO",
      "dcgm_gpu_utilization",
      "dcgm_fi_dev_gpu_util",
      "DCGM_FI_PROF_GR_ENGINE_ACTIVE",
      "DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO",
      "dcgm_fi_prof_gr_engine_active",
      "DCGM_FI_DEV_FB_USED",
      "dcgm_fi_dev_fb_used",
      "dcgm_fb_used",
      "DCGM_FI_DEV_POWER_USAGE",
      "DCGM_FI_DEV_BOARD_POWER_WATTS",
      "nvidia_smi_memory_used_bytes",
      "HostCoreUtilization",
      "HostGPUMemoryUsage",
      "Device_utilization_desc_of_container",
      "Device_memory_desc_of_container",
      "vGPU_device_memory_usage_in_bytes",
      "hami_host_gpu_utilization_ratio",
      "hami_host_gpu_memory_used_bytes",
      "hami_container_device_utilization_ratio",
      "hami_vgpu_memory_used_bytes",
      "gpu_gfx_activity",
      "amd_gpu_gfx_activity",
      "amd_gpu_use_percent",
      "xpum_engine_ratio",
      "hw_gpu_utilization_ratio",
      "hw_memory_usage_bytes",
      "hw_power_watts",
      "hw_temperature_celsius",
      "habanalabs_utilization",
      "neuroncore_utilization_ratio",
      "all_smi_gpu_utilization",
      "tensorcore_utilization",
  };
  std::string query;
  for (const Name name : kOften) {
    if (!query.empty()) query += " or ";
    query += fmt::format("timestamp({})", name);
  }
  return query;
}

}  // namespace gpu::telemetry
