#include "decode/kinds/volcano.hpp"

#include <utility>

#include "decode/objects/metadata.hpp"
#include "decode/wire/json_fields.hpp"

namespace gpu::decode {

VolcanoQueue volcano_queue_from_json(const nlohmann::json& object) {
  VolcanoQueue queue;
  naming_object("Queue", {}, queue.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata")) queue.name = metadata->text("name");
    if (const auto spec = root.object("spec")) {
      queue.parent = spec->text("parent");
      queue.capability = spec->resources("capability");
      queue.deserved = spec->resources("deserved");
      if (const auto guarantee = spec->object("guarantee"))
        queue.guarantee = guarantee->resources("resource");
    }
    const auto status = root.object("status");
    if (!status) return;
    queue.state = status->text("state");
    if (status->has("allocated")) queue.allocated = status->resources("allocated");
    queue.pending = status->long_number("pending");
    queue.inqueue = status->long_number("inqueue");
    queue.running = status->long_number("running");
  });
  return queue;
}

VolcanoPodGroup volcano_pod_group_from_json(const nlohmann::json& object) {
  VolcanoPodGroup group;
  naming_object("PodGroup", group.ns, group.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto read = root.object("metadata")) {
      Metadata metadata = metadata_from_json(*read, Annotations::none);
      group.ns = std::move(metadata.ns);
      group.name = std::move(metadata.name);
      group.created = metadata.created;
      group.owners = std::move(metadata.owners);
    }
    if (const auto spec = root.object("spec")) {
      group.queue = spec->text("queue");
      group.min_member = spec->long_number("minMember").value_or(0);
      group.min_resources = spec->resources("minResources");
    }
    const auto status = root.object("status");
    if (!status) return;
    group.phase = status->text("phase");
    status->each("conditions", [&](const JsonObject& condition) {
      group.conditions.push_back(condition_from_json(condition));
    });
  });
  return group;
}

}  // namespace gpu::decode
