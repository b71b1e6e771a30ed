#include "decode/metadata.hpp"

#include "decode/json_item.hpp"

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

void add_annotation(StringMap& annotations, std::string_view entry) {
  const MapEntry read = map_entry(entry);
  if (read.key != kLastApplied) annotations[read.key] = read.value;
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
        if (annotations == Annotations::read)
          add_annotation(metadata.annotations, bytes_of(fields));
        else
          fields.skip();
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
  if (annotations == Annotations::read)
    metadata.annotations = object.strings("annotations", kLastApplied);
  object.each("ownerReferences",
              [&](const JsonObject& owner) { metadata.owners.push_back(owner_from_json(owner)); });
  return metadata;
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
