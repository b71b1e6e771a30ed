#include "model/pools/toleration.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/ascii.hpp"
#include "model/pools/toleration_index.hpp"

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
  // An index is worth its making where each with each is many.
  constexpr std::size_t kMany = 256;
  std::optional<TolerationIndex> index;
  if (tolerations.size() * node.taints.size() > kMany) index.emplace(tolerations);
  std::vector<const Taint*> found;
  for (const Taint& taint : node.taints)
    if ((taint.effect == "NoSchedule" || taint.effect == "NoExecute") &&
        !(index ? index->tolerates(taint) : tolerates(tolerations, taint)))
      found.push_back(&taint);
  return found;
}

Unavailable lifecycle_of(const Taint& taint) {
  if (taint.effect != "NoSchedule" && taint.effect != "NoExecute") return Unavailable::none;
  static constexpr std::array<std::string_view, 6> kLeaving = {
      "ToBeDeletedByClusterAutoscaler",    "karpenter.sh/disrupted",
      "karpenter.sh/disruption",           "aws-node-termination-handler/spot-itn",
      "node.kubernetes.io/out-of-service", "node.cloudprovider.kubernetes.io/shutdown"};
  static constexpr std::array<std::string_view, 6> kOther = {
      "node.kubernetes.io/memory-pressure",
      "node.kubernetes.io/disk-pressure",
      "node.kubernetes.io/pid-pressure",
      "node.kubernetes.io/network-unavailable",
      "node.cloudprovider.kubernetes.io/uninitialized",
      "karpenter.sh/unregistered"};
  const auto is = [&](std::string_view key) { return taint.key == key; };
  if (is("node.kubernetes.io/not-ready") || is("node.kubernetes.io/unreachable"))
    return Unavailable::node_not_ready;
  if (is("node.kubernetes.io/unschedulable")) return Unavailable::cordoned;
  if (std::any_of(kLeaving.begin(), kLeaving.end(), is)) return Unavailable::node_leaving;
  if (std::any_of(kOther.begin(), kOther.end(), is)) return Unavailable::node_tainted;
  return Unavailable::none;
}

bool is_health_taint(const Taint& taint) {
  const Unavailable life = lifecycle_of(taint);
  if (life != Unavailable::none) return life != Unavailable::cordoned;
  // What health checks, cloud providers, autoscalers and operators call it while a node is ill, not
  // ready yet, being worked on or going away.
  static constexpr std::array<std::string_view, 26> kWords = {
      "xid",          "health",         "gpu-lost",     "gpu.nvidia.com/",  "not-ready",
      "notready",     "maintenance",    "drain",        "remediation",      "medik8s.io/",
      "terminat",     "interruption",   "evict",        "cordon",           "disruption",
      "quarantine",   "out-of-service", "quick-remove", "scheduledevent",   "uninitialized",
      "unregistered", "shutdown",       "upgrade",      "updateinprogress", "deletioncandidate",
      "pressure"};
  const std::string text = lower_case(taint.key + "=" + taint.value);
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
    const std::size_t at = text.find(word);
    // A team may be called so.
    return at != std::string::npos && !std::string_view(text).substr(at).starts_with("healthcare");
  });
}

}  // namespace gpu
