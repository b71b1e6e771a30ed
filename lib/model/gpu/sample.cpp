#include "model/gpu/sample.hpp"

#include "base/ascii.hpp"

namespace gpu {

namespace {

void fill(std::string& known, const std::string& told) {
  if (known.empty()) known = told;
}

template <typename Value>
void fill(std::optional<Value>& known, const std::optional<Value>& told) {
  if (!known) known = told;
}

}  // namespace

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
    case UtilizationKind::tensor_core:
      return "tensor-core";
    case UtilizationKind::core:
      return "core";
    case UtilizationKind::adapter:
      return "adapter";
  }
  return "";
}

void fill_identity(Sample& known, const Sample& told) {
  fill(known.exporter, told.exporter);
  fill(known.node, told.node);
  fill(known.host, told.host);
  fill(known.instance, told.instance);
  // Most write it so, and people search for it so.
  if (told.uuid.starts_with("GPU-") && !known.uuid.starts_with("GPU-")) known.uuid = told.uuid;
  fill(known.uuid, told.uuid);
  fill(known.index, told.index);
  fill(known.minor, told.minor);
  fill(known.profile, told.profile);
  fill(known.pci_bus_id, told.pci_bus_id);
  fill(known.product, told.product);
  fill(known.dra, told.dra);
}

std::string uuid_key(std::string_view uuid) {
  std::string key = lower_case(uuid);
  if (key.starts_with("gpu-")) key.erase(0, 4);
  return key;
}

bool same_uuid(std::string_view a, std::string_view b) { return uuid_key(a) == uuid_key(b); }

}  // namespace gpu
