#pragma once

#include <optional>
#include <string>

#include "diagnose/answer/explanation.hpp"
#include "model/objects/node.hpp"

namespace gpu::diagnose {

/// Something that is being done to a node, after which it is put back, or is gone: whoever does it
/// has cordoned the node, and uncordoning it by hand is no fix.
struct NodeMaintenance {
  std::string what;     ///< "a driver upgrade is under way (drain-required)"
  std::string nearest;  ///< for the table of all pods: "once its driver is upgraded"
  Advice advice;
};

/// By the node's deletionTimestamp, and by the labels of NVIDIA's operator: an upgrade of the
/// driver, a change of the MIG layout.
std::optional<NodeMaintenance> maintenance_of(const Node& node);

}  // namespace gpu::diagnose
