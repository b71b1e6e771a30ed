#include "decode/objects/controller.hpp"

#include "decode/objects/metadata.hpp"
#include "decode/wire/json_fields.hpp"

namespace gpu::decode {

ControlledObject controlled_object_from_json(const nlohmann::json& object) {
  Metadata metadata;
  naming_object("object", metadata.ns, metadata.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto read = root.object("metadata"))
      metadata = metadata_from_json(*read, Annotations::none);
  });
  return {metadata.uid, controller_of(metadata.owners)};
}

}  // namespace gpu::decode
