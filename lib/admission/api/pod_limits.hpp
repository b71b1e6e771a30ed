#pragma once

#include <string_view>

#include "model/objects/pod.hpp"

namespace gpu::admission {

/// What `list` of its containers comes to for a pod: the sum of containers and sidecars, or the
/// largest init container beside the sidecars started before it.
ResourceList total_of(const Pod& pod, ResourceList Container::*list);

/// What a quota counts as a pod's limits: total_of() them, pod-level limits in place of the sum,
/// overhead added to those that are not 0. Source: k8s.io/component-helpers/resource PodLimits.
ResourceList effective_limits(const Pod& pod);

/// Whether a resource can be given for a pod as a whole: cpu, memory, huge pages.
bool is_pod_level(std::string_view name);

/// Whether the pod itself, not only its containers, says what it asks for of cpu, memory or huge
/// pages.
bool has_pod_level_resources(const Pod& pod);

}  // namespace gpu::admission
