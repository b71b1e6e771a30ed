#pragma once

#include <string>
#include <vector>

#include "diagnose/stack/daemon_reach.hpp"
#include "diagnose/stack/stack_fault.hpp"

namespace gpu::diagnose {

/// "gpu-operator/nvidia-device-plugin-daemonset".
std::string name_of(const DaemonSet& daemon);

/// A command that shows what runs on a node.
std::string pods_on(const Node& node);

bool is_ready_pod(const Pod& pod);

/// The node's pod of a part of the GPU stack, of one maker; of several, one that is not ready.
const Pod* pod_on(const scheduler::NodeState& node, DaemonRole role, Vendor vendor);

/// "gpu-operator/plugin-x is not ready (CrashLoopBackOff, 9 restarts)".
std::string unready_text(const Pod& pod);

/// Of a pod that has crashed, what it logged before.
Advice read_log_of(const Pod& pod);

/// For a DaemonSet that a taint keeps off a node: the advice to tolerate it, with `why` after it.
Advice tolerate(const DaemonSet& daemon, const Taint& taint, std::string_view why);

/// Why none of these DaemonSets, of which there is one, has a pod on a node: a taint, labels, or
/// nothing that is seen; and the taint to tolerate or the label to set. Nothing where pods were not
/// all read.
std::optional<StackFault> absence_of(const scheduler::Cluster& cluster,
                                     const scheduler::NodeState& node,
                                     const std::vector<const DaemonSet*>& daemons);

}  // namespace gpu::diagnose
