#pragma once

#include <string_view>
#include <vector>

#include "diagnose/answer/explanation.hpp"
#include "diagnose/stack/daemon_reach.hpp"

namespace gpu::diagnose {

/// Whether a label is given by node feature discovery or an operator, and so goes missing with
/// them.
bool is_discovered(std::string_view label);

/// What brings a DaemonSet of the GPU stack to a node that its selector or its affinity leaves out:
/// the label to set or to take off, or the selector that switches it off; and what node feature
/// discovery has seen there, where it writes its labels in another form than is selected.
std::vector<Advice> label_advice(const scheduler::Cluster& cluster, const DaemonSet& daemon,
                                 const Node& node, const Unreached& unreached);

}  // namespace gpu::diagnose
