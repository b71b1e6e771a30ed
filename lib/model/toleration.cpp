#include "model/toleration.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace gpu {

bool tolerates(const Toleration& toleration, const Taint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  if (toleration.op == "Exists") return true;
  const bool is_equal = toleration.op.empty() || toleration.op == "Equal";
  return is_equal && toleration.value == taint.value;
}

bool tolerates(const std::vector<Toleration>& tolerations, const Taint& taint) {
  return std::any_of(tolerations.begin(), tolerations.end(),
                     [&](const Toleration& each) { return tolerates(each, taint); });
}

std::vector<const Taint*> untolerated(const std::vector<Toleration>& tolerations,
                                      const Node& node) {
  std::vector<const Taint*> found;
  for (const Taint& taint : node.taints)
    if ((taint.effect == "NoSchedule" || taint.effect == "NoExecute") &&
        !tolerates(tolerations, taint))
      found.push_back(&taint);
  return found;
}

bool is_health_taint(const Taint& taint) {
  // node.kubernetes.io/unschedulable is not among them: uncordoning is the fix for that one.
  static constexpr std::array<std::string_view, 14> kKeys = {
      "node.kubernetes.io/not-ready",
      "node.kubernetes.io/unreachable",
      "node.kubernetes.io/memory-pressure",
      "node.kubernetes.io/disk-pressure",
      "node.kubernetes.io/pid-pressure",
      "node.kubernetes.io/network-unavailable",
      "node.kubernetes.io/out-of-service",
      "node.cloudprovider.kubernetes.io/uninitialized",
      "node.cloudprovider.kubernetes.io/shutdown",
      "ToBeDeletedByClusterAutoscaler",
      "DeletionCandidateOfClusterAutoscaler",
      "karpenter.sh/disrupted",
      "karpenter.sh/unregistered",
      "karpenter.sh/disruption",
  };
  if (std::find(kKeys.begin(), kKeys.end(), taint.key) != kKeys.end()) return true;
  // NVIDIA's DRA driver and node problem detectors name what is wrong with a card.
  const std::string_view key = taint.key;
  return key.starts_with("gpu.nvidia.com/") || key.find("unhealthy") != std::string_view::npos ||
         key.find("xid") != std::string_view::npos ||
         key.find("gpu-lost") != std::string_view::npos;
}

}  // namespace gpu
