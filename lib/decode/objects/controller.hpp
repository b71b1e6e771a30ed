#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "model/objects/pod.hpp"

namespace gpu::decode {

/// An object of any kind, as far as the owner walk looks at it.
struct ControlledObject {
  std::string uid;
  std::optional<OwnerReference> controller;
  friend bool operator==(const ControlledObject&, const ControlledObject&) = default;
};

/// Reads a PartialObjectMetadata, or a whole object. Throws Error{data} for JSON that is none.
ControlledObject controlled_object_from_json(const nlohmann::json& object);

}  // namespace gpu::decode
