#include "model/sample.hpp"

#include "base/ascii.hpp"

namespace gpu {

std::string_view name_of(MetricSource source) {
  switch (source) {
    case MetricSource::exporter:
      return "exporter";
    case MetricSource::prometheus:
      return "prometheus";
    case MetricSource::custom:
      return "custom";
    case MetricSource::exec:
      return "exec";
  }
  return "";
}

std::string_view name_of(UtilizationKind kind) {
  switch (kind) {
    case UtilizationKind::kernel_time:
      return "gpu-util";
    case UtilizationKind::engine_active:
      return "engine-active";
    case UtilizationKind::gfx_activity:
      return "gfx-activity";
    case UtilizationKind::engine_ratio:
      return "engine-ratio";
    case UtilizationKind::duty_cycle:
      return "duty-cycle";
    case UtilizationKind::core:
      return "core";
    case UtilizationKind::adapter:
      return "adapter";
  }
  return "";
}

std::string uuid_key(std::string_view uuid) {
  std::string key = lower_case(uuid);
  if (key.starts_with("gpu-")) key.erase(0, 4);
  return key;
}

bool same_uuid(std::string_view a, std::string_view b) { return uuid_key(a) == uuid_key(b); }

}  // namespace gpu
