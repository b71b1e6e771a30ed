#include "decode/objects/node.hpp"

#include "decode/objects/card_shares.hpp"
#include "decode/objects/metadata.hpp"
#include "decode/objects/taint.hpp"
#include "decode/wire/json_fields.hpp"
#include "decode/wire/protobuf.hpp"

namespace gpu::decode {
namespace {

void set_metadata(Node& node, Metadata&& metadata) {
  node.name = std::move(metadata.name);
  node.labels = std::move(metadata.labels);
  node.annotations = std::move(metadata.annotations);
  node.shared_cards = shared_cards_from(node.annotations);
  node.created = metadata.created;
  node.deleted = metadata.deleted;
}

void read_spec(Node& node, std::string_view message) {
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(3):
        node.provider_id = string_of(fields);
        break;
      case varint_field(4):
        node.unschedulable = fields.get_bool();
        break;
      case bytes_field(5):
        node.taints.push_back(taint_from_protobuf(bytes_of(fields)));
        break;
      default:
        fields.skip();
    }
  }
}

/// A ContainerImage: its names, and its size.
void add_image(Node& node, std::string_view message) {
  const std::size_t first = node.images.size();
  std::int64_t bytes = 0;
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1):
        node.images.push_back({.key = image_key(bytes_of(fields))});
        break;
      case varint_field(2):
        bytes = fields.get_int64();
        break;
      default:
        fields.skip();
    }
  }
  for (std::size_t i = first; i < node.images.size(); ++i) node.images[i].bytes = bytes;
}

void add_image(Node& node, const JsonObject& image) {
  const std::int64_t bytes = image.long_number("sizeBytes").value_or(0);
  for (const std::string& name : image.texts("names"))
    node.images.push_back({.key = image_key(name), .bytes = bytes});
}

void read_status(Node& node, std::string_view message) {
  const Path status{nullptr, "status"};
  const Path capacity{&status, "capacity"};
  const Path allocatable{&status, "allocatable"};
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1):
        add_quantity(node.capacity, bytes_of(fields), capacity);
        break;
      case bytes_field(2):
        add_quantity(node.allocatable, bytes_of(fields), allocatable);
        break;
      case bytes_field(4):
        node.conditions.push_back(condition_from_protobuf(bytes_of(fields)));
        break;
      case bytes_field(7):
        node.kubelet_version = text_field(bytes_of(fields), 7);
        break;
      case bytes_field(8):
        add_image(node, bytes_of(fields));
        break;
      case bytes_field(14):
        node.declared_features.push_back(string_of(fields));
        break;
      default:
        fields.skip();
    }
  }
}

void read_spec(Node& node, const JsonObject& spec) {
  node.provider_id = spec.text("providerID");
  node.unschedulable = spec.flag("unschedulable");
  spec.each("taints",
            [&](const JsonObject& taint) { node.taints.push_back(taint_from_json(taint)); });
}

void read_status(Node& node, const JsonObject& status) {
  node.capacity = status.resources("capacity");
  node.allocatable = status.resources("allocatable");
  status.each("conditions", [&](const JsonObject& condition) {
    node.conditions.push_back(condition_from_json(condition));
  });
  if (const auto info = status.object("nodeInfo"))
    node.kubelet_version = info->text("kubeletVersion");
  node.declared_features = status.texts("declaredFeatures");
  status.each("images", [&](const JsonObject& image) { add_image(node, image); });
}

}  // namespace

Node node_from_protobuf(std::string_view message) {
  Node node;
  naming_object("Node", {}, node.name, [&] {
    for (auto fields = fields_of(message); fields.next();) {
      switch (fields.tag_and_type()) {
        case bytes_field(1):
          set_metadata(node, metadata_from_protobuf(bytes_of(fields), Annotations::all));
          break;
        case bytes_field(2):
          read_spec(node, bytes_of(fields));
          break;
        case bytes_field(3):
          read_status(node, bytes_of(fields));
          break;
        default:
          fields.skip();
      }
    }
  });
  return node;
}

Node node_from_json(const nlohmann::json& object) {
  Node node;
  naming_object("Node", {}, node.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata"))
      set_metadata(node, metadata_from_json(*metadata, Annotations::all));
    if (const auto spec = root.object("spec")) read_spec(node, *spec);
    if (const auto status = root.object("status")) read_status(node, *status);
  });
  return node;
}

}  // namespace gpu::decode
