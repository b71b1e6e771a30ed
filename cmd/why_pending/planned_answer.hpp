#pragma once

#include "cmd/why_pending/answers.hpp"
#include "diagnose/answer/explain_options.hpp"
#include "diagnose/answer/explanation.hpp"
#include "model/planned_pod.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::cmd {

/// An answer for each pod of manifests. Where they are several, replicas included, they are placed
/// one after the other, each on the node with the fewest free GPUs on which it fits, so that each
/// is judged beside those before it: see PlannedPlacing.
PendingAnswers planned_answer(const PlannedObjects& planned, const scheduler::Cluster& cluster,
                              const diagnose::ExplainOptions& options);

}  // namespace gpu::cmd
