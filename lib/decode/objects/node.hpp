#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "model/objects/node.hpp"

namespace gpu::decode {

/// A core/v1 Node from its protobuf message (fields by k8s.io/api core/v1 generated.proto) or JSON
/// object. Both give the same Node. Throws Error{data} for bytes that are no Node.
Node node_from_protobuf(std::string_view message);
Node node_from_json(const nlohmann::json& object);

}  // namespace gpu::decode
