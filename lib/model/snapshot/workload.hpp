#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "model/snapshot/snapshot.hpp"

namespace gpu {

/// A kind of object that owns pods, directly or through others: the one table of them, for the
/// owner walk, for TYPE/NAME on the command line, and for reading them.
struct WorkloadKind {
  std::string_view kind;      ///< "Job"
  std::string_view group;     ///< "batch"; empty for core
  std::string_view versions;  ///< served ones, the preferred first: "v1", "v1beta2 v1beta1"
  std::string_view plural;    ///< "jobs"
  std::string_view names;     ///< what kubectl takes beside plural and kind: "job", "deploy"
  /// Whether something else may control it, so that the walk has to read it: a ReplicaSet, and a
  /// Deployment too (InferenceService), not a CronJob.
  bool may_be_owned = false;
};

/// All of them, core kinds first.
std::span<const WorkloadKind> workload_kinds();

/// By kind and apiVersion ("batch/v1") as an ownerReference has them. Null for what the table
/// lacks.
const WorkloadKind* workload_kind(std::string_view kind, std::string_view api_version);

/// As workload_kind(), with what Kueue queues beside: an AppWrapper, which makes no pods itself.
const WorkloadKind* queued_kind(std::string_view kind, std::string_view api_version);

/// By what a person types: "job", "jobs.batch", "deploy", "Deployment"; letter case does not
/// matter.
const WorkloadKind* workload_kind_named(std::string_view name);

/// Who a pod belongs to, at the top of its ownerReferences.
struct Owner {
  std::string kind;  ///< "Deployment"; "Pod" for a pod that nobody controls
  std::string name;
  std::string uid;
  std::string api_version;
  friend bool operator==(const Owner&, const Owner&) = default;
};

/// Climbs from the pod's controller as far as `snapshot.controllers` knows; at most 8 steps. A pod
/// without a controller is its own owner. A Node as controller (a static pod) is not climbed to.
Owner top_owner(const Pod& pod, const Snapshot& snapshot);

}  // namespace gpu
