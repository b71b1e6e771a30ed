#include "decode/kinds/storage_object.hpp"

#include <string_view>
#include <utility>

#include "decode/objects/metadata.hpp"
#include "decode/objects/selector.hpp"
#include "decode/wire/json_fields.hpp"

namespace gpu::decode {
namespace {

/// A TopologySelectorTerm: labels, each with the values it may have.
NodeSelectorTerm topology_from_json(const JsonObject& object) {
  NodeSelectorTerm term;
  object.each("matchLabelExpressions", [&](const JsonObject& each) {
    term.expressions.push_back({each.text("key"), "In", each.texts("values")});
  });
  return term;
}

bool is_default(const StringMap& annotations) {
  for (const std::string_view name : {"storageclass.kubernetes.io/is-default-class",
                                      "storageclass.beta.kubernetes.io/is-default-class"})
    if (value_of(annotations, name) == "true") return true;
  return false;
}

}  // namespace

StorageClass storage_class_from_json(const nlohmann::json& object) {
  StorageClass made;
  naming_object("StorageClass", {}, made.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto read = root.object("metadata")) {
      Metadata metadata = metadata_from_json(*read, Annotations::all);
      made.name = std::move(metadata.name);
      made.created = metadata.created;
      made.is_default = is_default(metadata.annotations);
    }
    made.provisioner = root.text("provisioner");
    made.waits_for_consumer = root.text("volumeBindingMode") == "WaitForFirstConsumer";
    root.each("allowedTopologies", [&](const JsonObject& topology) {
      made.allowed_topologies.push_back(topology_from_json(topology));
    });
  });
  return made;
}

CsiNode csi_node_from_json(const nlohmann::json& object) {
  constexpr std::string_view kMigrated = "storage.alpha.kubernetes.io/migrated-plugins";
  CsiNode node;
  naming_object("CSINode", {}, node.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto read = root.object("metadata")) {
      Metadata metadata = metadata_from_json(*read, Annotations::all);
      node.name = std::move(metadata.name);
      if (const std::string* const migrated = metadata.annotations.find(kMigrated))
        node.annotations.set(kMigrated, *migrated);
    }
    const auto spec = root.object("spec");
    if (!spec) return;
    spec->each("drivers", [&](const JsonObject& driver) {
      const auto allocatable = driver.object("allocatable");
      node.drivers.push_back(
          {driver.text("name"), allocatable ? allocatable->long_number("count") : std::nullopt});
    });
  });
  return node;
}

CsiDriver csi_driver_from_json(const nlohmann::json& object) {
  CsiDriver driver;
  naming_object("CSIDriver", {}, driver.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata")) driver.name = metadata->text("name");
    if (const auto spec = root.object("spec")) {
      driver.storage_capacity = spec->flag("storageCapacity");
      driver.prevents_scheduling = spec->flag("preventPodSchedulingIfMissing");
    }
  });
  return driver;
}

StorageCapacity storage_capacity_from_json(const nlohmann::json& object) {
  StorageCapacity capacity;
  naming_object("CSIStorageCapacity", capacity.ns, capacity.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata")) {
      capacity.ns = metadata->text("namespace");
      capacity.name = metadata->text("name");
    }
    capacity.storage_class = root.text("storageClassName");
    capacity.topology = object_selector_in(root, "nodeTopology");
    capacity.capacity = root.quantity("capacity");
    capacity.maximum_volume_size = root.quantity("maximumVolumeSize");
  });
  return capacity;
}

VolumeAttachment volume_attachment_from_json(const nlohmann::json& object) {
  VolumeAttachment attachment;
  naming_object("VolumeAttachment", {}, attachment.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata")) attachment.name = metadata->text("name");
    const auto spec = root.object("spec");
    if (!spec) return;
    attachment.attacher = spec->text("attacher");
    attachment.node = spec->text("nodeName");
    if (const auto source = spec->object("source"))
      attachment.volume = source->text("persistentVolumeName");
  });
  return attachment;
}

}  // namespace gpu::decode
