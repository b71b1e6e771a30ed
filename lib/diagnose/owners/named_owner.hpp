#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "diagnose/answer/explain_options.hpp"
#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// Why an object that creates pods, which the user named, has none or too few: a queue that holds
/// it, its own status (suspended, finished, no replicas, refused by the API server), its events.
/// Nothing if its pods explain it themselves. `owner` needs kind and name; uid and apiVersion must
/// match if they are given.
std::optional<Explanation> missing_pods(const scheduler::Cluster& cluster, std::string_view ns,
                                        const Owner& owner, const ExplainOptions& options);

/// Whether the object created the pod, directly or through other objects.
bool is_made_by(const Pod& pod, std::string_view ns, const Owner& owner, const Snapshot& snapshot);

/// The kind as kubectl accepts it unambiguously: "job", "pytorchjobs.kubeflow.org".
std::string kubectl_kind(const WorkloadObject& object);

/// The object; null if it was not read.
const WorkloadObject* object_named(const SchedulingFacts& facts, std::string_view ns,
                                   const Owner& owner);

}  // namespace gpu::diagnose
