#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace gpu::decode {

/// The node whose GPUs a resource.k8s.io ResourceSlice publishes; nothing for devices that are no
/// GPUs, or that belong to no single node.
std::optional<std::string> gpu_node_of_slice(const nlohmann::json& slice);

}  // namespace gpu::decode
