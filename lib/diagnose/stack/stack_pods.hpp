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

/// How to read the log of a pod; of one that has crashed, the log before that.
Advice read_log_of(const Pod& pod);

/// For a DaemonSet that a taint keeps off a node: the advice to tolerate it, with `why` after it.
Advice tolerate(const DaemonSet& daemon, const Taint& taint, std::string_view why);

/// Why none of these DaemonSets has a pod on a node: a taint, labels, or no known reason; with the
/// taint to tolerate or the label to set. `daemons` is not empty. Nothing if not all pods were
/// read.
std::optional<StackFault> absence_of(const scheduler::Cluster& cluster,
                                     const scheduler::NodeState& node,
                                     const std::vector<const DaemonSet*>& daemons);

}  // namespace gpu::diagnose
