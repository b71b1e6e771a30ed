#include "diagnose/lifecycle/newest_change.hpp"

#include "model/pools/toleration.hpp"

namespace gpu::diagnose {
namespace {

/// Keeps the newest of all that it is told.
class Newest {
 public:
  explicit Newest(NewestChange& change) : change_(change) {}

  template <class Text>
  void add(const std::optional<Time>& when, Text text) {
    if (!when || (change_.when && *change_.when >= *when)) return;
    change_.when = when;
    change_.what = text();
  }

 private:
  NewestChange& change_;
};

void add_node(Newest& newest, const Node& node) {
  newest.add(node.created, [&] { return "node " + node.name + " was made"; });
  for (const Taint& taint : node.taints)
    newest.add(taint.added, [&] {
      return "node " + node.name +
             (lifecycle_of(taint) == Unavailable::cordoned ? " was cordoned" : " was tainted");
    });
  for (const Condition& condition : node.conditions)
    newest.add(condition.last_transition, [&] {
      return "node " + node.name + " turned " + condition.type + "=" + condition.status;
    });
}

void add_pod(Newest& newest, const Pod& pod) {
  for (const Condition& condition : pod.conditions)
    if (condition.type == "PodScheduled" && condition.status == "True")
      newest.add(condition.last_transition, [&] {
        return "pod " + pod.ns + "/" + pod.name + " was bound to " + pod.node_name;
      });
  newest.add(pod.started, [&] { return "pod " + pod.ns + "/" + pod.name + " started"; });
}

}  // namespace

NewestChange::NewestChange(const scheduler::Cluster& cluster) {
  Newest newest(*this);
  for (const scheduler::NodeState& node : cluster.nodes()) {
    add_node(newest, *node.node);
    for (const scheduler::BoundPod& bound : node.pods) add_pod(newest, *bound.pod);
  }
}

}  // namespace gpu::diagnose
