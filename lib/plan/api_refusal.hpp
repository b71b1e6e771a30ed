#pragma once

#include <string>

#include "diagnose/answer/explanation.hpp"
#include "model/objects/field_mistake.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::plan {

/// Adds to the answer for a pod that is not made yet what the API server would make of it: classes
/// that do not exist, GPUs that are not asked for as they must be, LimitRanges and quotas that do
/// not let it in are refusals, and then the reason; what cannot be known is named.
void add_api_opinion(diagnose::Explanation& answer, const scheduler::Cluster& cluster,
                     const Pod& pod);

/// Makes a mistake in the manifest's fields the reason: the API server looks at them first.
void add_mistake(diagnose::Explanation& answer, const FieldMistake& mistake);

/// Whether add_api_opinion() would find no refusal.
bool is_let_in(const scheduler::Cluster& cluster, const Pod& pod);

/// What of admission nobody can tell, or was not read, and what asks the API server: "LimitRange,
/// admission webhooks and policies, ...".
std::string unseen_admission(const SchedulingFacts& facts);

/// Whether all quotas and LimitRanges were read, which may refuse a pod.
bool sees_quotas(const SchedulingFacts& facts);

}  // namespace gpu::plan
