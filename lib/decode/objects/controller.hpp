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
  friend bool operator==(const ControlledObject&, const ControlledObject&) = default;
};

/// Reads a PartialObjectMetadata, or a whole object. Throws Error{data} for JSON that is none.
ControlledObject controlled_object_from_json(const nlohmann::json& object);

/// How many pods a whole object of this kind wants to have now: spec.replicas of a ReplicaSet, a
/// StatefulSet or a ReplicationController, what a Job has left to do at once; none of one that has
/// ended by its conditions. Nothing where that is not known.
std::optional<std::int64_t> wanted_pods_of(const nlohmann::json& object, std::string_view kind,
                                           std::string_view api_version);

}  // namespace gpu::decode
