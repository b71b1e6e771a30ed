#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "model/objects/queue.hpp"

namespace gpu::decode {

/// Objects of kueue.x-k8s.io, of v1beta1 and v1beta2; Cohorts of v1alpha1, too. All throw
/// Error{data} for JSON that is none.
QueuedWorkload queued_workload_from_json(const nlohmann::json& object);
LocalQueue local_queue_from_json(const nlohmann::json& object);
ClusterQueue cluster_queue_from_json(const nlohmann::json& object);
Cohort cohort_from_json(const nlohmann::json& object);
ResourceFlavor resource_flavor_from_json(const nlohmann::json& object);

/// The ConfigMap with Kueue's own configuration.
inline constexpr std::string_view kQueueConfigName = "kueue-manager-config";
/// Of that ConfigMap.
QueueConfig queue_config_from_json(const nlohmann::json& object);

}  // namespace gpu::decode
