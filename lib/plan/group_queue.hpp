#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnose/answer/explain_options.hpp"
#include "diagnose/answer/explanation.hpp"
#include "model/snapshot/snapshot.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::plan {

/// What the Queue of a scheduler of groups, KAI's or Volcano's, means for a pod that is not created
/// yet.
struct GroupQueueAnswer {
  bool is_held = false;
  std::string summary;  ///< why it is held
  std::string nearest;
  std::vector<diagnose::Remark> remarks;
  std::vector<diagnose::Advice> advice;
  std::vector<std::string> not_checked;
};

/// Nothing for pods of other schedulers.
std::optional<GroupQueueAnswer> group_queue_answer(const scheduler::Cluster& cluster,
                                                   const Pod& pod);

/// Whether such a Queue keeps the pod out.
bool is_held_by_group_queue(const scheduler::Cluster& cluster, const Pod& pod);

/// The answer for a pod that such a Queue keeps out, before anybody looks at nodes; nothing for all
/// others.
std::optional<diagnose::Explanation> held_by_group_queue(const scheduler::Cluster& cluster,
                                                         const Pod& pod,
                                                         const diagnose::ExplainOptions& options);

/// What a snapshot keeps of what is allocated of such Queues, so that more can be counted there:
/// the status of each, or its pods where these hold more. `cluster` is of `snapshot`.
void settle_group_queues(Snapshot& snapshot, const scheduler::Cluster& cluster);

/// Counts a pod that starts in its Queue, and in those above it.
void count_in_group_queues(Snapshot& snapshot, const scheduler::Cluster& cluster, const Pod& pod);

/// What is allocated of each Queue, to come back to.
struct GroupQueueUse {
  std::vector<std::optional<ResourceList>> volcano;
  std::vector<std::optional<ResourceList>> kai;
  std::vector<std::optional<ResourceList>> kai_non_preemptible;
};
GroupQueueUse group_queue_use(const SchedulingFacts& facts);
void restore(SchedulingFacts& facts, const GroupQueueUse& use);

}  // namespace gpu::plan
