#pragma once

#include <optional>
#include <string>

#include "base/time.hpp"
#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// What cluster-autoscaler or Karpenter says of a pod: the cloud's refusal while nothing newer than
/// the wait after it is said, else its newest event; quoted, not judged.
struct AutoscalerWord {
  /// autoscaler_limit or autoscaler_no_match where it will not add a node; nothing while it adds
  /// one.
  std::optional<Code> code;
  std::string text;     ///< for a note: "Karpenter says: ..."; empty where the headline has it all
  std::string summary;  ///< the headline, where there is a code
  std::optional<Advice> advice;
};
/// `reason`: what keeps the pod off the nodes that there are. While a node is on its way, the
/// advice is to wait for it.
std::optional<AutoscalerWord> autoscaler_word(const scheduler::Cluster& cluster, const Pod& pod,
                                              Code reason, const std::optional<Time>& now);

/// Whether what an autoscaler refuses with `refusal` would be an answer to a reason: where nodes
/// lack room, not where the pod asks for what is misspelt. Labels that no node has may be those of
/// nodes that it may not add.
bool may_help_by_nodes(Code reason, Code refusal);

}  // namespace gpu::diagnose
