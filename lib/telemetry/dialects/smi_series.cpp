#include "telemetry/dialects/smi_series.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gpu::telemetry {
namespace {

std::optional<double> mebibytes(const std::optional<std::int64_t>& bytes) {
  if (!bytes) return std::nullopt;
  return static_cast<double>(*bytes) / (1 << 20);
}

std::optional<std::int64_t> free_memory(const Measures& told) {
  if (!told.memory_total_bytes || !told.memory_used_bytes) return std::nullopt;
  return *told.memory_total_bytes - *told.memory_used_bytes;
}

StringMap labels_of(const Sample& sample) {
  StringMap labels;
  const auto set = [&](const char* name, const std::string& value) {
    if (!value.empty()) labels.set(name, value);
  };
  if (sample.index) labels.set("gpu", std::to_string(*sample.index));
  set("UUID", sample.uuid);
  set("pci_bus_id", sample.pci_bus_id);
  set("modelName", sample.product);
  set("GPU_I_ID", sample.mig_instance);
  return labels;
}

}  // namespace

std::vector<Series> smi_series(const std::vector<Sample>& samples) {
  std::vector<Series> series;
  for (const Sample& sample : samples) {
    const Measures& told = sample.measures;
    std::optional<double> percent = told.utilization;
    if (percent) *percent *= 100;
    // FB_TOTAL in the row of an instance would be its card's.
    const bool is_card = sample.mig_instance.empty();
    const std::pair<std::string_view, std::optional<double>> values[] = {
        {"DCGM_FI_DEV_GPU_UTIL", percent},
        {"DCGM_FI_DEV_FB_USED", mebibytes(told.memory_used_bytes)},
        {"DCGM_FI_DEV_FB_TOTAL", mebibytes(is_card ? told.memory_total_bytes : std::nullopt)},
        {"DCGM_FI_DEV_FB_FREE", mebibytes(is_card ? std::nullopt : free_memory(told))},
        {"DCGM_FI_DEV_GPU_TEMP", told.temperature_celsius},
        {"DCGM_FI_DEV_POWER_USAGE", told.power_watts},
        {"DCGM_FI_DEV_ENFORCED_POWER_LIMIT", told.power_limit_watts}};
    for (const auto& [name, value] : values)
      if (value)
        series.push_back({.name = std::string(name),
                          .labels = labels_of(sample),
                          .value = *value,
                          .at = sample.at});
  }
  return series;
}

}  // namespace gpu::telemetry
