#include "schedule/ending.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "model/workload.hpp"

namespace gpu::schedule {
namespace {

Ending deletion_of(const Pod& pod) {
  return {.target = "pod/" + pod.ns + "/" + pod.name,
          .command = fmt::format("kubectl delete pod -n {} {}", shell_quoted(pod.ns),
                                 shell_quoted(pod.name)),
          .pods = {&pod}};
}

/// The bound pods of one owner.
std::vector<const Pod*> pods_of(const Cluster& cluster, std::string_view ns, const Owner& owner) {
  std::vector<const Pod*> pods;
  for (const NodeState& node : cluster.nodes())
    for (const BoundPod& bound : node.pods)
      if (bound.pod->ns == ns && top_owner(*bound.pod, cluster.snapshot()) == owner)
        pods.push_back(bound.pod);
  return pods;
}

}  // namespace

std::optional<Ending> ending_of(const Cluster& cluster, const Pod& pod, std::int32_t priority) {
  const bool is_made_anew = std::any_of(pod.owners.begin(), pod.owners.end(),
                                        [](const OwnerReference& each) { return each.controller; });
  if (!is_made_anew || pod.priority.value_or(0) < priority) return deletion_of(pod);
  const Owner owner = top_owner(pod, cluster.snapshot());
  const std::string kind = lower_case(owner.kind);
  const bool is_scaled =
      owner.kind == "Deployment" || owner.kind == "StatefulSet" || owner.kind == "ReplicaSet";
  if (!is_scaled && owner.kind != "Job") return std::nullopt;
  const std::string name = shell_quoted(owner.name);
  const std::string ns = shell_quoted(pod.ns);
  return Ending{
      .target = kind + "/" + pod.ns + "/" + owner.name,
      .command = is_scaled ? fmt::format("kubectl scale {} {} -n {} --replicas=0", kind, name, ns)
                           : fmt::format("kubectl delete job {} -n {}", name, ns),
      .pods = pods_of(cluster, pod.ns, owner)};
}

}  // namespace gpu::schedule
