#include "decode/kinds/api_group.hpp"

#include <nlohmann/json.hpp>

#include "decode/objects/metadata.hpp"
#include "decode/wire/json_fields.hpp"

namespace gpu::decode {

ApiGroup api_group_from_json(const nlohmann::json& object) {
  ApiGroup group;
  naming_object("APIGroupDiscovery", {}, group.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata")) group.name = metadata->text("name");
    root.each("versions", [&](const JsonObject& version) {
      ApiVersion& read = group.versions.emplace_back();
      read.name = version.text("version");
      version.each("resources", [&](const JsonObject& resource) {
        if (const auto kind = resource.object("responseKind"))
          read.kinds.push_back(kind->text("kind"));
      });
    });
  });
  return group;
}

}  // namespace gpu::decode
