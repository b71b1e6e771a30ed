#pragma once

#include "model/objects/pod.hpp"

namespace gpu {

/// What a pod takes from its node: the sum of containers and sidecars, or the largest init
/// container beside the sidecars started before it if that is more; pod-level requests in place of
/// the sum for the resources they name; plus overhead. While a resize runs, the larger of spec and
/// status. Source: k8s.io/component-helpers/resource PodRequests with UseStatusResources, as
/// kube-scheduler 1.36 calls it.
ResourceList effective_requests(const Pod& pod);

/// How many devices of any kind the resources of `requests` that count GPUs are; so many GiB of a
/// card are one.
std::int64_t gpu_devices_in(const ResourceList& requests);

}  // namespace gpu
