#pragma once

#include <string_view>

#include "kube/read/collect_context.hpp"

namespace gpu::kube {

/// Reads who controls the controllers of the kept pods, level by level, into
/// Snapshot::controllers: metadata only, and only of kinds that workload_kinds() says something may
/// control. Where an object is gone or may not be read, the climb ends there.
void read_owners(CollectContext& reading);

/// Whether a 404 is about the object `name` alone, not about its kind or the version of that.
bool says_object_is_gone(const Reply& reply, std::string_view name);

/// Keeps of Snapshot::controllers what read_owners() would have read.
void keep_owners_of_pods(Snapshot& snapshot);

/// Where ReplicaSets were not read, names the Deployments above them: the Deployment's controller
/// calls a ReplicaSet by the Deployment's name, a dash, and the pods' label pod-template-hash.
void infer_deployments(Snapshot& snapshot);

}  // namespace gpu::kube
