#pragma once

#include <optional>
#include <vector>

#include "cmd/why_pending/answers.hpp"
#include "cmd/why_pending/question.hpp"
#include "model/snapshot/planned_pod.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu::cmd {

/// Answers questions from a snapshot, one after the other; `planned` is what files would create.
/// Throws Error{usage} for a pod or owner that does not exist, with the nearest names and the
/// namespaces that have one; where it is one of several, PendingAnswers::errors has it.
PendingAnswers pending_answers(const std::vector<PendingQuestion>& questions,
                               const PlannedObjects& planned, const Snapshot& snapshot,
                               const std::optional<Time>& now);

}  // namespace gpu::cmd
