#include "decode/kinds/karpenter.hpp"

#include "decode/objects/metadata.hpp"
#include "decode/objects/taint.hpp"
#include "decode/wire/json_fields.hpp"

namespace gpu::decode {

KarpenterNodePool karpenter_node_pool_from_json(const nlohmann::json& object) {
  KarpenterNodePool pool;
  naming_object("NodePool", {}, pool.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata")) pool.name = metadata->text("name");
    const auto spec = root.object("spec");
    const auto made = spec ? spec->object("template") : std::nullopt;
    if (!made) return;
    if (const auto metadata = made->object("metadata")) pool.labels = metadata->strings("labels");
    const auto nodes = made->object("spec");
    if (!nodes) return;
    if (const auto node_class = nodes->object("nodeClassRef"))
      pool.class_group = node_class->text("group");
    nodes->each("requirements", [&](const JsonObject& each) {
      pool.requirements.push_back({each.text("key"), each.text("operator"), each.texts("values")});
    });
    nodes->each("taints",
                [&](const JsonObject& each) { pool.taints.push_back(taint_from_json(each)); });
  });
  return pool;
}

}  // namespace gpu::decode
