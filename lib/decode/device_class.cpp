#include "decode/device_class.hpp"

#include "decode/json_fields.hpp"
#include "decode/metadata.hpp"

namespace gpu::decode {

DeviceClass device_class_from_json(const nlohmann::json& object) {
  DeviceClass device_class;
  naming_object("DeviceClass", {}, device_class.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata")) device_class.name = metadata->text("name");
    const auto spec = root.object("spec");
    if (!spec) return;
    device_class.extended_resource = spec->text("extendedResourceName");
    spec->each("selectors", [&](const JsonObject& selector) {
      const auto cel = selector.object("cel");
      if (cel) device_class.selectors.push_back(cel->text("expression"));
    });
  });
  return device_class;
}

}  // namespace gpu::decode
