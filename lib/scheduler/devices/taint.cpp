#include "scheduler/devices/taint.hpp"

#include <algorithm>

namespace gpu::scheduler {
namespace {

bool tolerates(const Toleration& toleration, const Taint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  if (toleration.op == "Exists") return true;
  return (toleration.op.empty() || toleration.op == "Equal") && toleration.value == taint.value;
}

}  // namespace

bool taint_blocks(const Device& device, const DeviceRequest& request) {
  return std::any_of(device.taints.begin(), device.taints.end(), [&](const Taint& taint) {
    if (taint.effect != "NoSchedule" && taint.effect != "NoExecute") return false;
    return std::none_of(request.tolerations.begin(), request.tolerations.end(),
                        [&](const Toleration& toleration) { return tolerates(toleration, taint); });
  });
}

}  // namespace gpu::scheduler
