#pragma once

#include <string_view>
#include <vector>

#include "decode/wire/json_fields.hpp"
#include "model/objects/node.hpp"
#include "model/objects/pod.hpp"

namespace gpu::decode {

/// A Taint of a node, or of a device.
Taint taint_from_json(const JsonObject& taint);
Taint taint_from_protobuf(std::string_view message);

/// A Toleration of a pod, of a RuntimeClass, or of a request for devices.
Toleration toleration_from_json(const JsonObject& toleration);
Toleration toleration_from_protobuf(std::string_view message);

/// The array `tolerations` of `object`.
std::vector<Toleration> tolerations_in(const JsonObject& object);

}  // namespace gpu::decode
