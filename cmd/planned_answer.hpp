#pragma once

#include "cmd/pending_answers.hpp"
#include "kube/manifest_file.hpp"
#include "schedule/explain.hpp"

namespace gpu::cmd {

/// An answer for each pod of manifests. Where they are several, replicas included, they are placed
/// one after the other, each on the node with the fewest free GPUs on which it fits, so that each
/// is judged beside those before it: see PlannedPlacing.
PendingAnswers planned_answer(const kube::PlannedPods& planned, const schedule::Cluster& cluster,
                              const schedule::ExplainOptions& options);

}  // namespace gpu::cmd
