#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "model/objects/pod.hpp"
#include "scheduler/cluster/change.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "scheduler/cycle/verdict.hpp"

namespace gpu::scheduler {

/// The results of all filters for `pod` on every node of `cluster`, by the rules of
/// kube-scheduler's default profile. Ignores scheduling gates, queues, and the pod's schedulerName.
Verdict judge(const Cluster& cluster, const Pod& pod);

/// The same with `change` laid over the cluster, of `nodes` only (places in cluster.nodes()).
Verdict judge(const Cluster& cluster, const Pod& pod, const Change& change,
              std::span<const std::size_t> nodes);

/// What preemption would do for the pod.
struct PreemptionVerdict {
  std::string message;    ///< the scheduler's, from "preemption: "; empty: it finds victims
  bool is_error = false;  ///< the search ended in an error: the message ends after the reasons
  std::vector<std::size_t> nodes;  ///< on which preempting pods of lower priority makes room
};

/// DefaultPreemption's answer to `verdict`, which is of all nodes of `cluster`.
PreemptionVerdict preempt(const Cluster& cluster, const Pod& pod, const Verdict& verdict);

/// The whole text that kube-scheduler writes into the PodScheduled condition of a pod that fits
/// nowhere: "0/9 nodes are available: ...". Empty when it fits, and when it is not queued at all.
std::string predicted_message(const Cluster& cluster, const Pod& pod, const Verdict& verdict);

}  // namespace gpu::scheduler
