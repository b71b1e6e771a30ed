#include "scheduler/filters/node_name.hpp"

namespace gpu::scheduler {

void NodeName::ask(const NodeView& node, Findings& findings) const {
  if (!pod_.node_name.empty() && pod_.node_name != node.state.node->name)
    findings.refuse(Rejection::unresolvable, "node(s) didn't match the requested node name");
}

}  // namespace gpu::scheduler
