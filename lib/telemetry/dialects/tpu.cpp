#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/ascii.hpp"
#include "telemetry/dialects/device_rows.hpp"

namespace gpu::telemetry::tpu {
namespace {

// The *_node twins are of the same accelerators, without a pod. GKE's plugin for NVIDIA cards
// writes the same names, and twins of its own.
constexpr std::array<Metric, 13> kTable = {{
    {"duty_cycle", Measure::utilization, Unit::percent},
    {"duty_cycle_node", Measure::utilization, Unit::percent},
    {"duty_cycle_gpu_node", Measure::utilization, Unit::percent},
    {"tensorcore_utilization", Measure::tensor_active, Unit::percent},
    {"tensorcore_utilization_node", Measure::tensor_active, Unit::percent},
    {"memory_bandwidth_utilization", Measure::dram_active, Unit::percent},
    {"memory_bandwidth_utilization_node", Measure::dram_active, Unit::percent},
    {"memory_used", Measure::memory_used, Unit::bytes},
    {"memory_used_node", Measure::memory_used, Unit::bytes},
    {"memory_used_gpu_node", Measure::memory_used, Unit::bytes},
    {"memory_total", Measure::memory_total, Unit::bytes},
    {"memory_total_node", Measure::memory_total, Unit::bytes},
    {"memory_total_gpu_node", Measure::memory_total, Unit::bytes},
}};
constexpr auto kNames = names_of(kTable);
using Names = std::array<std::string_view, 1>;

/// The names are everybody's: a series is of an accelerator only if it says of which, and whose.
bool identify(const DialectSample& told, Sample& sample) {
  const Series& series = *told.series;
  const std::string_view id = label_of(series, Names{"accelerator_id"});
  const std::string make = lower_case(value_of(series.labels, "make"));
  if (id.empty() || make.empty()) return false;
  sample.product = label_of(series, Names{"model"});
  sample.uuid = id;
  if (make.find("tpu") != std::string::npos) {
    sample.vendor = Vendor::google;
    // "4804027339-0" is the first chip of a node.
    sample.index = whole_number(id.substr(id.rfind('-') + 1));
    if (sample.index && *sample.index >= 64) sample.index.reset();
    return true;
  }
  sample.vendor = Vendor::nvidia;
  return make == "nvidia" && id.starts_with("GPU-");
}

std::vector<Sample> samples(const std::vector<DialectSample>& told, const Origin& origin) {
  return plain_samples(told, origin, kTable, UtilizationKind::duty_cycle, identify,
                       Readings::StandIn::tensor_active);
}

constexpr auto kLabels = std::to_array<PodLabel>({{kK8sApp, "tpu-device-plugin"}});
constexpr auto kImages = std::to_array<std::string_view>({"tpu-device-plugin"});
constexpr auto kContainers = std::to_array<std::string_view>({"tpu-device-plugin"});
constexpr auto kWindowed = std::to_array<Windowed>({
    {"duty_cycle", Windowed::Scale::percent},
    {"duty_cycle_node", Windowed::Scale::percent},
    {"tensorcore_utilization", Windowed::Scale::percent},
    {"tensorcore_utilization_node", Windowed::Scale::percent},
    {"memory_used", Windowed::Scale::memory},
    {"memory_used_node", Windowed::Scale::memory},
});
constexpr auto kDated = std::to_array<std::string_view>({
    "tensorcore_utilization",
});

}  // namespace

extern const Dialect kDialect{.name = "tpu-device-plugin",
                              .metrics = kNames,
                              .matcher = R"(accelerator_id!="")",
                              .windowed = kWindowed,
                              .dated = kDated,
                              .samples = samples,
                              .pods = {
                                  .kind = "TPU device plugin",
                                  .usual_port = 2112,
                                  .labels = kLabels,
                                  .images = kImages,
                                  .containers = kContainers,
                              }};

}  // namespace gpu::telemetry::tpu
