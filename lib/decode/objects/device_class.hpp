#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "decode/wire/json_fields.hpp"
#include "model/objects/claim.hpp"

namespace gpu::decode {

/// A DeviceClass of any version of resource.k8s.io. Throws Error{data} for JSON that is none.
DeviceClass device_class_from_json(const nlohmann::json& object);

/// The CEL expressions of `selectors`, of a DeviceClass or of a request.
std::vector<std::string> cel_selectors_in(const JsonObject& object);

}  // namespace gpu::decode
