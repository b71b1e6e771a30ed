#include "schedule/rollout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "model/workload.hpp"
#include "schedule/judge.hpp"
#include "schedule/owned_pods.hpp"

namespace gpu::schedule {
namespace {

std::string_view controller_uid(const Pod& pod) {
  const OwnerReference* const controller = controller_of(pod);
  return controller == nullptr ? std::string_view{} : controller->uid;
}

/// Pods on nodes that belong to the same Deployment by another ReplicaSet.
std::vector<const Pod*> old_pods(const Cluster& cluster, const Pod& pod, const Owner& owner) {
  std::vector<const Pod*> old;
  for (const Pod* other : cluster.shared<OwnedPods>().of(pod.ns, owner.kind, owner.name))
    if (!other->deleted && controller_uid(*other) != controller_uid(pod)) old.push_back(other);
  return old;
}

}  // namespace

std::optional<Cause> rollout_surge(const Cluster& cluster, const Pod& pod) {
  if (controller_uid(pod).empty()) return std::nullopt;
  const Owner owner = top_owner(pod, cluster.snapshot());
  if (owner.kind != "Deployment") return std::nullopt;
  const std::vector<const Pod*> old = old_pods(cluster, pod, owner);
  if (old.empty()) return std::nullopt;
  std::vector<std::size_t> nodes(cluster.nodes().size());
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = i;
  if (!judge(cluster, pod, {.ended = old}, nodes).fits()) return std::nullopt;
  const Pod& first = *old.front();
  return Cause{
      .code = Code::rollout_surge,
      .summary =
          fmt::format("the old pod of deployment/{} holds what the new one needs", owner.name),
      .nearest = fmt::format("{}, when {} has ended", first.node_name, first.name),
      .remarks = {{fmt::format("a rolling update starts the new pod before it ends the old one ({} "
                               "on {}), and there is no room for both",
                               first.name, first.node_name)}},
      .advice = {{.summary = "let the Deployment end its old pods first; it then runs none for a "
                             "moment",
                  .command = fmt::format("kubectl patch deployment {} -n {} --type merge -p "
                                         "'{{\"spec\":{{\"strategy\":{{\"type\":\"Recreate\","
                                         "\"rollingUpdate\":null}}}}}}'",
                                         shell_quoted(owner.name), shell_quoted(pod.ns))}}};
}

}  // namespace gpu::schedule
