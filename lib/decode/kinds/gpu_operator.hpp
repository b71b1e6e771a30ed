#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "model/objects/gpu_operator.hpp"

namespace gpu::decode {

/// A ClusterPolicy of nvidia.com/v1. Throws Error{data} for JSON that is none.
ClusterPolicy cluster_policy_from_json(const nlohmann::json& object);

/// Of a ConfigMap; nothing where none of its texts is a configuration of NVIDIA's device plugin. A
/// text that is one and cannot be read is a profile with a problem. Throws Error{data} for JSON
/// that is no ConfigMap.
std::optional<PluginConfig> plugin_config_from_json(const nlohmann::json& object);

}  // namespace gpu::decode
