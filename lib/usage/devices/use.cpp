#include "usage/devices/use.hpp"

namespace gpu::usage {

std::optional<bool> is_idle(const Use& use) {
  if (!use.utilization || use.is_of_before) return std::nullopt;
  return *use.utilization < kIdleBelow;
}

}  // namespace gpu::usage
