#pragma once

#include "model/objects/pod.hpp"

namespace gpu {

/// What counts of a pod's requests beside those of its containers' spec, by the minor.
struct RequestRules {
  bool counts_resizes = true;      ///< what the kubelet has set aside during a resize
  bool reads_pod_requests = true;  ///< spec.resources of the pod
};

/// What a pod takes from its node: the sum of containers and sidecars, or the largest init
/// container beside the sidecars started before it if that is more; pod-level requests in place of
/// the sum for the resources they name; plus overhead. While a resize runs, the larger of spec and
/// status. Source: k8s.io/component-helpers/resource PodRequests with UseStatusResources, as
/// kube-scheduler 1.36 calls it.
ResourceList effective_requests(const Pod& pod, RequestRules rules = {});

/// How many devices of any kind the resources of `requests` that count GPUs are; so many GiB of a
/// card are one.
std::int64_t gpu_devices_in(const ResourceList& requests);

}  // namespace gpu
