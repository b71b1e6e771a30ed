#pragma once

#include <nlohmann/json_fwd.hpp>

#include "model/claim.hpp"

namespace gpu::decode {

/// A DeviceClass of any version of resource.k8s.io. Throws Error{data} for JSON that is none.
DeviceClass device_class_from_json(const nlohmann::json& object);

}  // namespace gpu::decode
