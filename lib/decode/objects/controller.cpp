#include "decode/objects/controller.hpp"

#include <nlohmann/json.hpp>

#include "decode/objects/metadata.hpp"
#include "decode/wire/json_fields.hpp"

namespace gpu::decode {

namespace {

/// Of other kinds it may be anything.
std::optional<std::int64_t> replicas_in(const nlohmann::json& object) {
  const nlohmann::json::json_pointer at("/spec/replicas");
  if (!object.contains(at) || !object[at].is_number_integer()) return std::nullopt;
  return object[at].get<std::int64_t>();
}

}  // namespace

bool has_replicas(std::string_view kind) {
  return kind == "ReplicaSet" || kind == "StatefulSet" || kind == "ReplicationController";
}

ControlledObject controlled_object_from_json(const nlohmann::json& object) {
  Metadata metadata;
  naming_object("object", metadata.ns, metadata.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto read = root.object("metadata"))
      metadata = metadata_from_json(*read, Annotations::none);
  });
  return {metadata.uid, controller_of(metadata.owners), replicas_in(object)};
}

}  // namespace gpu::decode
