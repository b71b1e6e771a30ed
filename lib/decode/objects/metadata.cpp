#include "decode/objects/metadata.hpp"

#include "decode/wire/json_item.hpp"

namespace gpu::decode {
namespace {

OwnerReference owner_from_protobuf(std::string_view message) {
  OwnerReference owner;
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1):
        owner.kind = string_of(fields);
        break;
      case bytes_field(3):
        owner.name = string_of(fields);
        break;
      case bytes_field(4):
        owner.uid = string_of(fields);
        break;
      case bytes_field(5):
        owner.api_version = string_of(fields);
        break;
      case varint_field(6):
        owner.controller = fields.get_bool();
        break;
      default:
        fields.skip();
    }
  }
  return owner;
}

OwnerReference owner_from_json(const JsonObject& object) {
  return {object.text("kind"), object.text("name"), object.text("uid"), object.text("apiVersion"),
          object.flag("controller")};
}

bool is_wanted(std::string_view annotation, Annotations wanted) {
  switch (wanted) {
    case Annotations::all:
      return annotation != kLastApplied;
    case Annotations::of_devices:
      return is_device_annotation(annotation);
    case Annotations::none:
      break;
  }
  return false;
}

void add_annotation(StringMap& annotations, std::string_view entry, Annotations wanted) {
  const MapEntry read = map_entry(entry);
  if (is_wanted(read.key, wanted)) annotations[read.key] = read.value;
}

StringMap annotations_in(const JsonObject& metadata, Annotations wanted) {
  StringMap chosen;
  if (wanted == Annotations::none) return chosen;
  for (const auto& [name, value] : metadata.strings("annotations", kLastApplied))
    if (is_wanted(name, wanted)) chosen.set(name, value);
  return chosen;
}

}  // namespace

Metadata metadata_from_protobuf(std::string_view message, Annotations annotations) {
  Metadata metadata;
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1):
        metadata.name = string_of(fields);
        break;
      case bytes_field(3):
        metadata.ns = string_of(fields);
        break;
      case bytes_field(5):
        metadata.uid = string_of(fields);
        break;
      case bytes_field(8):
        metadata.created = time_from_protobuf(bytes_of(fields));
        break;
      case bytes_field(9):
        metadata.deleted = time_from_protobuf(bytes_of(fields));
        break;
      case bytes_field(11):
        add_string(metadata.labels, bytes_of(fields));
        break;
      case bytes_field(12):
        add_annotation(metadata.annotations, bytes_of(fields), annotations);
        break;
      case bytes_field(13):
        metadata.owners.push_back(owner_from_protobuf(bytes_of(fields)));
        break;
      default:
        fields.skip();
    }
  }
  return metadata;
}

Metadata metadata_from_json(const JsonObject& object, Annotations annotations) {
  Metadata metadata;
  metadata.name = object.text("name");
  metadata.ns = object.text("namespace");
  metadata.uid = object.text("uid");
  metadata.created = object.time("creationTimestamp");
  metadata.deleted = object.time("deletionTimestamp");
  metadata.labels = object.strings("labels");
  metadata.annotations = annotations_in(object, annotations);
  object.each("ownerReferences",
              [&](const JsonObject& owner) { metadata.owners.push_back(owner_from_json(owner)); });
  return metadata;
}

std::optional<OwnerReference> controller_of(const std::vector<OwnerReference>& owners) {
  for (const OwnerReference& owner : owners)
    if (owner.controller) return owner;
  return std::nullopt;
}

Condition condition_from_protobuf(std::string_view message) {
  Condition condition;
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1):
        condition.type = string_of(fields);
        break;
      case bytes_field(2):
        condition.status = string_of(fields);
        break;
      case bytes_field(4):
        condition.last_transition = time_from_protobuf(bytes_of(fields));
        break;
      case bytes_field(5):
        condition.reason = string_of(fields);
        break;
      case bytes_field(6):
        condition.message = string_of(fields);
        break;
      default:
        fields.skip();
    }
  }
  return condition;
}

Condition condition_from_json(const JsonObject& object) {
  return {object.text("type"), object.text("status"), object.text("reason"), object.text("message"),
          object.time("lastTransitionTime")};
}

}  // namespace gpu::decode
