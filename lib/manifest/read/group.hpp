#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "model/objects/volcano.hpp"
#include "model/snapshot/planned_pod.hpp"

namespace gpu::manifest {

/// How many pods of an object start together, by Volcano's fields of its own Job and of the
/// operators that make a PodGroup for it. `template_at` is the place of a template's spec.
PlannedGroup planned_group(const nlohmann::json& object, const std::string& api_version,
                           const nlohmann::json::json_pointer& template_at);

/// The Queue of Volcano that an object names in its own spec, or for its PodGroup; empty: none.
std::string volcano_queue_in(const nlohmann::json& object, const std::string& api_version);

/// A PodGroup of Volcano; nothing for any other object. Its name and namespace are left out.
std::optional<VolcanoPodGroup> pod_group_from(const nlohmann::json& object, const std::string& kind,
                                              const std::string& api_version);

}  // namespace gpu::manifest
