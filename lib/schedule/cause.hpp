#pragma once

#include <string>
#include <vector>

#include "schedule/cluster.hpp"
#include "schedule/explanation.hpp"
#include "schedule/verdict.hpp"

namespace gpu::schedule {

/// The one reason of a pod that fits on no node, and its headline.
struct Cause {
  Code code{};
  std::string summary;
  std::string nearest;  ///< for the table of all pods: "gpu-a4, if uncordoned"
  std::vector<Remark> remarks;
  std::vector<Advice> advice;
};

/// Of a verdict over all nodes that does not fit; `groups` are groups_of() it.
Cause cause_of(const Cluster& cluster, const Pod& pod, const Verdict& verdict,
               const std::vector<NodeGroup>& groups);

}  // namespace gpu::schedule
