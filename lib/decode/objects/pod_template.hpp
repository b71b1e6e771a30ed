#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "model/objects/pod.hpp"

namespace gpu::decode {

/// What an object makes pods of, as it stands in it.
struct PodTemplate {
  nlohmann::json pod;                        ///< metadata: labels and annotations; spec
  nlohmann::json::json_pointer spec_at;      ///< where its spec stands in the object
  nlohmann::json::json_pointer metadata_at;  ///< where its metadata stands, or would
};

/// All that an object of a kind that makes pods makes them of: spec.template,
/// spec.jobTemplate.spec.template, spec.workerGroupSpecs[1].template, spec.podSpec; of a Pod
/// itself. Empty for kinds that say only what goes into their pods (TrainJob, SparkApplication).
std::vector<PodTemplate> pod_templates(const nlohmann::json& object);

/// "spec.template.spec.containers[0]", as people write it.
std::string path_text(const nlohmann::json::json_pointer& pointer);

/// Where in an object a decoder's `path` ("spec.containers[0].resources") points, as far as the
/// object has it.
nlohmann::json::json_pointer pointer_of(const nlohmann::json& object, std::string_view path);

}  // namespace gpu::decode
