#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "model/objects/pod.hpp"

namespace gpu::decode {

/// A core/v1 Pod from its protobuf message (fields by k8s.io/api core/v1 generated.proto) or JSON
/// object. Both give the same Pod. Throws Error{data} for bytes that are no Pod.
Pod pod_from_protobuf(std::string_view message);
Pod pod_from_json(const nlohmann::json& object);

}  // namespace gpu::decode
