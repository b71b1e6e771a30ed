#pragma once

#include <optional>

#include "model/objects/pod.hpp"
#include "model/objects/scheduling_facts.hpp"

namespace gpu::admission {

/// Whether a quota counts the pod, by all of its scopes; nothing where that hangs on what is not
/// kept of the pod: places that it would rather have. Source: k8s.io/kubernetes/pkg/quota/v1/
/// evaluator/core podMatchesScopeFunc.
std::optional<bool> counts(const ResourceQuota& quota, const Pod& pod);

}  // namespace gpu::admission
