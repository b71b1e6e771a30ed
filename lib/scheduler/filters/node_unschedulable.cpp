#include "scheduler/filters/node_unschedulable.hpp"

#include "model/pools/toleration.hpp"

namespace gpu::scheduler {

NodeUnschedulable::NodeUnschedulable(const Pod& pod)
    : is_tolerated_(tolerates(pod.tolerations, Taint{.key = "node.kubernetes.io/unschedulable",
                                                     .effect = "NoSchedule"})) {}

void NodeUnschedulable::ask(const NodeView& node, Findings& findings) const {
  if (node.state.node->unschedulable && !is_tolerated_)
    findings.refuse(Rejection::unresolvable, "node(s) were unschedulable");
}

}  // namespace gpu::scheduler
