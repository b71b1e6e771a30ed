#include "schedule/planned_node.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "schedule/pod_identity.hpp"

namespace gpu::schedule {

std::optional<Explanation> bound_to_no_node(const Cluster& cluster, const Pod& pod,
                                            const ExplainOptions& options) {
  const Snapshot& snapshot = cluster.snapshot();
  if (pod.node_name.empty() || snapshot.node_sight != Sight::whole) return std::nullopt;
  if (cluster.node_named(pod.node_name)) return std::nullopt;
  Explanation answer = identity_of(cluster, pod, options.now);
  answer.code = Code::node_selector_mismatch;
  answer.summary = fmt::format(
      "spec.nodeName binds it to the node {}, which does not exist: no scheduler looks at it, and "
      "the pod garbage collector deletes it",
      pod.node_name);
  answer.nearest = "node " + pod.node_name + " does not exist";
  std::vector<std::string_view> names;
  names.reserve(snapshot.nodes.size());
  for (const Node& node : snapshot.nodes) names.push_back(node.name);
  const auto near = nearest_name(pod.node_name, names);
  answer.advice.push_back(
      {.summary = "leave out spec.nodeName, so that a scheduler finds a node" +
                  (near ? fmt::format("; a similar name is {}", *near) : std::string()),
       .command = {}});
  return answer;
}

}  // namespace gpu::schedule
