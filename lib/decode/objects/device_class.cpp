#include "decode/objects/device_class.hpp"

#include "decode/objects/metadata.hpp"

namespace gpu::decode {

std::vector<std::string> cel_selectors_in(const JsonObject& object) {
  std::vector<std::string> expressions;
  object.each("selectors", [&](const JsonObject& selector) {
    if (const auto cel = selector.object("cel")) expressions.push_back(cel->text("expression"));
  });
  return expressions;
}

DeviceClass device_class_from_json(const nlohmann::json& object) {
  DeviceClass device_class;
  naming_object("DeviceClass", {}, device_class.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata")) {
      device_class.name = metadata->text("name");
      device_class.created = metadata->time("creationTimestamp");
    }
    const auto spec = root.object("spec");
    if (!spec) return;
    device_class.extended_resource = spec->text("extendedResourceName");
    device_class.selectors = cel_selectors_in(*spec);
  });
  return device_class;
}

}  // namespace gpu::decode
