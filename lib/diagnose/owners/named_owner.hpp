#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "diagnose/answer/explain_options.hpp"
#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// Why an object that makes pods, asked for by name, has none or too few: a queue that holds it,
/// what it says itself (suspended, finished, no replicas, refused by the API server), its events.
/// Nothing where its pods speak for it. `owner` by kind and name; of its uid and apiVersion, what
/// is given must match.
std::optional<Explanation> missing_pods(const scheduler::Cluster& cluster, std::string_view ns,
                                        const Owner& owner, const ExplainOptions& options);

/// Whether the object made the pod, directly or through others.
bool is_made_by(const Pod& pod, std::string_view ns, const Owner& owner, const Snapshot& snapshot);

/// A kind as kubectl takes it, without doubt: "job", "pytorchjobs.kubeflow.org".
std::string kubectl_kind(const WorkloadObject& object);

/// The object, if it was read. Null where it was not.
const WorkloadObject* object_named(const SchedulingFacts& facts, std::string_view ns,
                                   const Owner& owner);

}  // namespace gpu::diagnose
