#include "telemetry/dialects/adapter_metric.hpp"

#include <array>

#include "base/ascii.hpp"

namespace gpu::telemetry {
namespace {

struct Known {
  std::string_view name;
  AdapterScale scale;
};

/// Best first: what a maker's counter says by its own name, then what adapters call it.
constexpr std::array<Known, 18> kKnown = {{
    {"dcgm_fi_dev_gpu_util", AdapterScale::percent},
    {"dcgm_fi_dev_gpu_util_ratio", AdapterScale::percent},  // the same field: still per cent
    {"dcgm_gpu_utilization", AdapterScale::percent},
    {"gpu_gfx_activity", AdapterScale::percent},
    {"amd_gpu_gfx_activity", AdapterScale::percent},
    {"habanalabs_utilization", AdapterScale::percent},
    {"duty_cycle", AdapterScale::percent},
    {"nvidia_smi_utilization_gpu_ratio", AdapterScale::ratio},
    {"dcgm_fi_prof_gr_engine_active", AdapterScale::ratio},
    {"dcgm_fi_prof_gr_engine_util_ratio", AdapterScale::ratio},
    {"gpu_utilization_ratio", AdapterScale::ratio},
    {"gpu_utilization_percent", AdapterScale::percent},
    {"gpu_utilization_percentage", AdapterScale::percent},
    {"gpu_utilization", AdapterScale::not_told},
    {"pod_gpu_utilization", AdapterScale::not_told},
    {"gpu_util", AdapterScale::not_told},
    {"gpu_usage", AdapterScale::not_told},
    {"gpu_duty_cycle", AdapterScale::not_told},
}};

/// The place of `name` among the known ones.
std::optional<std::size_t> known_place(std::string_view name) {
  for (std::size_t i = 0; i < kKnown.size(); ++i)
    if (equal_ignoring_case(name, kKnown.at(i).name)) return i;
  return std::nullopt;
}

}  // namespace

std::optional<AdapterMetric> adapter_metric(std::string_view served) {
  if (served.starts_with("pods/"))
    served.remove_prefix(5);
  else if (served.starts_with("*/"))
    served.remove_prefix(2);
  else
    return std::nullopt;
  // Google's adapter writes a metric's path with bars: host|metric|kind.
  std::string_view rest = served;
  while (!rest.empty()) {
    const std::size_t bar = rest.find('|');
    if (const auto place = known_place(rest.substr(0, bar)))
      return AdapterMetric{.name = std::string(served),
                           .scale = kKnown.at(*place).scale,
                           .rank = static_cast<int>(*place)};
    rest = bar == std::string_view::npos ? std::string_view() : rest.substr(bar + 1);
  }
  return std::nullopt;
}

}  // namespace gpu::telemetry
