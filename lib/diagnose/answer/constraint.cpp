#include "diagnose/answer/constraint.hpp"

namespace gpu::diagnose {

std::string_view field_of(ConstraintOrigin origin) {
  switch (origin) {
    case ConstraintOrigin::node_selector:
      return "spec.nodeSelector";
    case ConstraintOrigin::node_affinity:
      return "spec.affinity.nodeAffinity";
    case ConstraintOrigin::topology_spread:
      return "spec.topologySpreadConstraints";
    case ConstraintOrigin::pod_affinity:
      return "spec.affinity.podAffinity";
    case ConstraintOrigin::pod_anti_affinity:
      return "spec.affinity.podAntiAffinity";
    case ConstraintOrigin::volumes:
      return "spec.volumes";
    case ConstraintOrigin::queue_flavor:
      return "by Kueue's flavor";
  }
  return {};
}

}  // namespace gpu::diagnose
