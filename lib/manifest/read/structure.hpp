#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "decode/objects/pod_template.hpp"

namespace gpu::manifest {

/// A pod that an object describes without a template of it.
struct FoundPod {
  decode::PodTemplate made;    ///< one container, and what decides where the pod goes
  std::string found_at;        ///< "spec.predictor.model"
  std::string write_at;        ///< where tolerations and selectors of the pod go: "spec.predictor"
  std::int64_t instances = 1;  ///< how many of them, beside the replicas around it
};

/// What stands in `object` like a container that requests GPUs or devices, outside of lists of
/// containers: `resources` with GPUs (an InferenceService's model, a NIMService, a `container` of a
/// Workflow), or Spark's `gpu: {name, quantity}`. Selectors, tolerations and the like are those
/// beside it, else those further out.
std::vector<FoundPod> found_pods(const nlohmann::json& object);

/// Whether a list of containers requests GPUs, or devices by claims.
bool requests_devices(const nlohmann::json& containers);

/// The schedulerName that a pod of the template gets from what it stands in, if it has none of its
/// own: the nearest that is written around it, Spark's batchScheduler, and Volcano's own for its
/// Jobs. Empty where nothing says any.
std::string scheduler_around(const nlohmann::json& object, const std::string& api_version,
                             const nlohmann::json::json_pointer& spec_at);

}  // namespace gpu::manifest
