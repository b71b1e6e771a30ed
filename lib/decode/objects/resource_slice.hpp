#pragma once

#include <nlohmann/json_fwd.hpp>

#include "model/objects/device.hpp"

namespace gpu::decode {

/// A ResourceSlice of resource.k8s.io v1, v1beta2, v1beta1 or v1alpha3, which wrap a device's facts
/// in `basic` or not. Throws Error{data} for JSON that is none.
ResourceSlice resource_slice_from_json(const nlohmann::json& object);

}  // namespace gpu::decode
