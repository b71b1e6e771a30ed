#pragma once

#include <string_view>

#include "kube/read/collect_context.hpp"

namespace gpu::kube {

/// Reads the controllers of the kept pods' controllers, level by level, into Snapshot::controllers:
/// metadata only, and only of kinds that may have a controller, by workload_kinds(). Stops at an
/// object that is gone or may not be read.
void read_owners(CollectContext& reading);

/// Whether a 404 is about the object `name` alone, not about its kind or the version of that.
bool says_object_is_gone(const Reply& reply, std::string_view name);

/// Keeps in Snapshot::controllers only what read_owners() would have read.
void keep_owners_of_pods(Snapshot& snapshot);

/// If ReplicaSets were not read, names the Deployments that control them: the Deployment's
/// controller names a ReplicaSet by the Deployment's name, a dash, and the pods' label
/// pod-template-hash.
void infer_deployments(Snapshot& snapshot);

}  // namespace gpu::kube
