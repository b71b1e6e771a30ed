#pragma once

#include <optional>

#include "cmd/why_pending/answers.hpp"
#include "cmd/why_pending/question.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu::cmd {

/// Answers a question from a snapshot. Throws Error{usage} for a pod or owner that does not exist,
/// with the nearest names and the namespaces that have one.
PendingAnswers pending_answer(const PendingQuestion& question, const Snapshot& snapshot,
                              const std::optional<Time>& now);

}  // namespace gpu::cmd
