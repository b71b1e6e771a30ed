#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnose/answer/explanation.hpp"
#include "model/objects/node.hpp"

namespace gpu::diagnose {

/// What taints say about a node that is unhealthy, not set up yet or about to be removed. Whoever
/// set these taints removes them, and no pod should tolerate them.
struct NodeConditionTaints {
  std::string state;             ///< "not set up yet", for "the node is ..."
  std::string what;              ///< the condition or the taint behind it
  std::string nearest;           ///< for the table of all pods: "once it is set up"
  std::optional<Advice> advice;  ///< none for a node that is about to be removed
};

/// By the taints that the pod does not tolerate; nothing if one of them is of another kind.
std::optional<NodeConditionTaints> condition_taints_of(const Node& node,
                                                       const std::vector<const Taint*>& taints);

}  // namespace gpu::diagnose
