#pragma once

#include <cstdint>
#include <vector>

#include "diagnose/answer/explain_options.hpp"
#include "diagnose/answer/explanation.hpp"
#include "model/snapshot/planned_pod.hpp"
#include "model/snapshot/snapshot.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::plan {

/// Counts what is found by the structure of objects among the pods, so that these are judged, too;
/// such objects are not unknown then.
void take_found(PlannedObjects& planned);

/// Adds what manifests would create to what is there, and completes the planned pods as the API
/// server and the controllers would. The pods wait: none of them counts on a node.
void add_planned(PlannedObjects& planned, Snapshot& snapshot);

/// The answers for what manifests would create.
struct PlannedAnswers {
  std::vector<diagnose::Explanation> explanations;  ///< one for each pod template
  std::vector<std::int64_t> waiting;                ///< how many pods of each would wait
};

/// An answer for each pod template, after add_planned() put them into the snapshot of `cluster`.
/// Where pods are several, replicas included, they are placed one after the other, each on the node
/// with the fewest free GPUs on which it fits, so that each is judged beside those before it.
PlannedAnswers explain_planned_objects(const PlannedObjects& planned,
                                       const scheduler::Cluster& cluster,
                                       const diagnose::ExplainOptions& options);

}  // namespace gpu::plan
