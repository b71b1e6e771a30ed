#pragma once

#include <string_view>
#include <vector>

#include "diagnose/answer/explanation.hpp"
#include "diagnose/stack/daemon_reach.hpp"

namespace gpu::diagnose {

/// Whether node feature discovery or an operator writes a label, so that the label is missing if
/// they do not run.
bool is_discovered(std::string_view label);

/// What makes a DaemonSet of the GPU stack select a node that its selector or affinity excludes:
/// the label to set or to remove, or the selector that switches it off; and the label of node
/// feature discovery, if it has another form than the selected one.
std::vector<Advice> label_advice(const scheduler::Cluster& cluster, const DaemonSet& daemon,
                                 const Node& node, const Unreached& unreached);

}  // namespace gpu::diagnose
