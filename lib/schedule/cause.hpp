#pragma once

#include <string>
#include <vector>

#include "schedule/explanation.hpp"
#include "schedule/node_reason.hpp"
#include "schedule/verdict.hpp"

namespace gpu::schedule {

/// The one reason of a pod that fits on no node, and its headline.
struct Cause {
  Code code{};
  std::string summary;
  std::string nearest;    ///< for the table of all pods: "gpu-a4, if uncordoned"
  std::string next = {};  ///< what rules the nearest node out once this is solved; may be empty
  std::vector<Remark> remarks = {};
  std::vector<Advice> advice = {};
};

/// Of a verdict over all nodes that does not fit. The order: errors and refusals of the pod itself;
/// names that no node has; labels that no node has; the GPU stack; what is held; then whatever
/// keeps the nearest node away.
Cause cause_of(const Cluster& cluster, const Pod& pod, const Verdict& verdict,
               const NodeReasons& reasons);

/// "4 H100 GPUs", "1 nvidia.com/mig-1g.10gb", "32 cpu": what the pod needs, most telling first.
std::string need_text(const Cluster& cluster, const Pod& pod, const NodeReasons& reasons);

/// "H100": the model of the GPUs that the pod selects by a label, or that all nodes with words
/// other than a selector have; empty where there are several.
std::string model_of(const Pod& pod);

}  // namespace gpu::schedule
