#pragma once

#include <string>
#include <vector>

#include "cmd/why_pending/question.hpp"
#include "diagnose/answer/explain_options.hpp"
#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::cmd {

/// Answers for an object that makes pods: what it says itself, each reason for which pods of it
/// wait, and the others once. Throws Error{usage} with the nearest names for one of which nothing
/// is known, and for one that several namespaces have.
std::vector<diagnose::Explanation> owner_answer(const PendingQuestion& question,
                                                const scheduler::Cluster& cluster,
                                                const diagnose::ExplainOptions& options);

/// "job/train -n ml": objects that make pods and have that name, in its namespace if it has one.
std::vector<std::string> owners_named(const PendingQuestion& question, const Snapshot& snapshot);

}  // namespace gpu::cmd
