#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// A pod's node selector and required node affinity, with misspelled labels replaced by similar
/// ones that nodes have.
struct CorrectedLabels {
  StringMap selector;
  std::optional<NodeSelector> affinity;
  std::vector<std::string> edits;  ///< "select gpu=a100"
};

/// The change with which the pod selects `node`, if each label that the node lacks is similar to
/// one that it has: other letter case, a part of it, a typo. Nothing if one of them is not similar
/// to any, or if the node lacks none.
std::optional<CorrectedLabels> corrected_labels(const scheduler::Cluster& cluster, const Pod& pod,
                                                const Node& node);

/// Whether some node has this very label.
bool is_label_of_any(const scheduler::Cluster& cluster, std::string_view key,
                     std::string_view value);

/// For a pod that selects a label of no node: which values of that label, or of one with a similar
/// key, nodes have, and how many nodes have each.
std::optional<Advice> label_advice(const scheduler::Cluster& cluster, const Pod& pod);

}  // namespace gpu::diagnose
