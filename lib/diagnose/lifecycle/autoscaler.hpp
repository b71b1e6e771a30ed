#pragma once

#include <optional>
#include <string>

#include "base/time.hpp"
#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// What cluster-autoscaler or Karpenter reports about a pod: the cloud's refusal, unless it has
/// reported something newer than the wait after that; otherwise its newest event. It is quoted, not
/// judged.
struct AutoscalerWord {
  /// autoscaler_limit or autoscaler_no_match if it will not add a node; nothing while it adds one.
  std::optional<Code> code;
  std::string text;     ///< for a note: "Karpenter says: ..."; empty if the headline contains it
  std::string summary;  ///< the headline, where there is a code
  std::optional<Advice> advice;
};
/// `reason`: why the pod fits on no existing node. While a new node starts, the advice is to wait
/// for it.
std::optional<AutoscalerWord> autoscaler_word(const scheduler::Cluster& cluster, const Pod& pod,
                                              Code reason, const std::optional<Time>& now);

/// Whether a new node would help against `reason`, although the autoscaler answered `refusal`: yes
/// if nodes lack room, no if the pod requests a misspelled name. Labels that no node has can be
/// those of nodes that a limit forbids.
bool may_help_by_nodes(Code reason, Code refusal);

}  // namespace gpu::diagnose
