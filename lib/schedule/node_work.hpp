#pragma once

#include <optional>
#include <string>

#include "model/node.hpp"
#include "schedule/explanation.hpp"

namespace gpu::schedule {

/// Something that is being done to a node, after which it is put back, or is gone: whoever does it
/// has cordoned the node, and uncordoning it by hand is no fix.
struct NodeWork {
  std::string what;     ///< "a driver upgrade is under way (drain-required)"
  std::string nearest;  ///< for the table of all pods: "once its driver is upgraded"
  Advice advice;
};

/// By the node's deletionTimestamp, and by the labels of NVIDIA's operator: an upgrade of the
/// driver, a change of the MIG layout.
std::optional<NodeWork> work_on(const Node& node);

}  // namespace gpu::schedule
