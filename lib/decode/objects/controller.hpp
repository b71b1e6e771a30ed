#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "model/objects/pod.hpp"

namespace gpu::decode {

/// An object of any kind, as far as the owner walk looks at it.
struct ControlledObject {
  std::string uid;
  std::optional<OwnerReference> controller;
  std::optional<std::int64_t> replicas;  ///< spec.replicas; metadata alone does not have it
  friend bool operator==(const ControlledObject&, const ControlledObject&) = default;
};

/// Whether objects of this kind of the core and apps groups control as many pods as spec.replicas.
bool has_replicas(std::string_view kind);

/// Reads a PartialObjectMetadata, or a whole object. Throws Error{data} for JSON that is none.
ControlledObject controlled_object_from_json(const nlohmann::json& object);

}  // namespace gpu::decode
