#include "scheduler/filters/node_name.hpp"

namespace gpu::scheduler {

void ask_node_name(const Pod& pod, const NodeView& node, Refusals& refusals) {
  if (!pod.node_name.empty() && pod.node_name != node.state.node->name)
    refusals.refuse(Filter::node_name, Rejection::unresolvable,
                    "node(s) didn't match the requested node name");
}

}  // namespace gpu::scheduler
