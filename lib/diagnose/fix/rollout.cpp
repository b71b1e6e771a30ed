#include "diagnose/fix/rollout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "model/snapshot/workload.hpp"
#include "scheduler/cluster/owned_pods.hpp"
#include "scheduler/cycle/judge.hpp"

namespace gpu::diagnose {
namespace {

std::string_view controller_uid(const Pod& pod) {
  const OwnerReference* const controller = scheduler::controller_of(pod);
  return controller == nullptr ? std::string_view{} : controller->uid;
}

/// Pods on nodes that belong to the same Deployment by another ReplicaSet. All pods are looked at
/// once, without an index of them.
std::vector<const Pod*> old_pods(const scheduler::Cluster& cluster, const Pod& pod,
                                 const Owner& owner) {
  const auto& controllers = cluster.snapshot().controllers;
  std::vector<const Pod*> old;
  for (const scheduler::NodeState& node : cluster.nodes()) {
    for (const scheduler::BoundPod& bound : node.pods) {
      const Pod& other = *bound.pod;
      if (other.ns != pod.ns || other.deleted) continue;
      const std::string_view uid = controller_uid(other);
      if (uid.empty() || uid == controller_uid(pod)) continue;
      const auto found = controllers.find(uid);
      if (found != controllers.end() && found->second && found->second->uid == owner.uid)
        old.push_back(&other);
    }
  }
  return old;
}

bool fits_when(const scheduler::Cluster& cluster, const Pod& pod,
               const std::vector<const Pod*>& ended, const std::vector<std::size_t>& nodes) {
  return judge(cluster, pod, {.ended = ended}, nodes).fits();
}

/// Whether the end of any one of them is enough: which of them a Deployment ends is not known.
bool is_any_enough(const scheduler::Cluster& cluster, const Pod& pod,
                   const std::vector<const Pod*>& old) {
  constexpr std::size_t kMostTried = 32;
  return old.size() <= kMostTried && std::all_of(old.begin(), old.end(), [&](const Pod* each) {
           const auto node = cluster.node_named(each->node_name);
           return node && fits_when(cluster, pod, {each}, {*node});
         });
}

Advice advice_for(const Owner& owner, const Pod& pod, std::string_view strategy,
                  std::string summary) {
  return {.summary = std::move(summary),
          .command = fmt::format("kubectl patch deployment {} -n {} --type merge -p "
                                 "'{{\"spec\":{{\"strategy\":{}}}}}'",
                                 shell_quoted(owner.name), shell_quoted(pod.ns), strategy)};
}

}  // namespace

std::optional<Cause> rollout_surge(const scheduler::Cluster& cluster, const Pod& pod) {
  if (controller_uid(pod).empty()) return std::nullopt;
  const Owner owner = top_owner(pod, cluster.snapshot());
  if (owner.kind != "Deployment") return std::nullopt;
  const std::vector<const Pod*> old = old_pods(cluster, pod, owner);
  if (old.empty()) return std::nullopt;
  std::vector<std::size_t> nodes(cluster.nodes().size());
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = i;
  if (!fits_when(cluster, pod, old, nodes)) return std::nullopt;
  const Pod& first = *old.front();
  const bool is_one = old.size() == 1;
  const std::string which = fmt::format("{} on {}", first.name, first.node_name) +
                            (is_one ? "" : fmt::format(" and {} more", old.size() - 1));
  const bool is_one_enough = is_any_enough(cluster, pod, old);
  return Cause{
      .code = Code::rollout_surge,
      .summary = fmt::format("the old {} of deployment/{} {} what the new one needs",
                             is_one ? "pod" : "pods", owner.name, is_one ? "holds" : "hold"),
      .nearest = fmt::format("{}, when {} has ended", first.node_name, first.name),
      .remarks = {{fmt::format("a rollout is under way: the new pod waits while the old {} ({}), "
                               "and there is no room for both",
                               is_one ? "one runs" : "ones run", which)}},
      .advice = {is_one_enough
                     ? advice_for(owner, pod,
                                  "{\"type\":\"RollingUpdate\",\"rollingUpdate\":"
                                  "{\"maxSurge\":0,\"maxUnavailable\":1}}",
                                  "let the Deployment end one old pod before it starts a new one")
                     : advice_for(owner, pod, "{\"type\":\"Recreate\",\"rollingUpdate\":null}",
                                  "let the Deployment end its old pods first; it then runs none "
                                  "for a moment")}};
}

}  // namespace gpu::diagnose
