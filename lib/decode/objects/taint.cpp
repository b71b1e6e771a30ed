#include "decode/objects/taint.hpp"

#include "decode/wire/protobuf.hpp"

namespace gpu::decode {

Taint taint_from_json(const JsonObject& taint) {
  return {taint.text("key"), taint.text("value"), taint.text("effect"), taint.time("timeAdded")};
}

Taint taint_from_protobuf(std::string_view message) {
  Taint taint;
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1):
        taint.key = string_of(fields);
        break;
      case bytes_field(2):
        taint.value = string_of(fields);
        break;
      case bytes_field(3):
        taint.effect = string_of(fields);
        break;
      case bytes_field(4):
        taint.added = time_from_protobuf(bytes_of(fields));
        break;
      default:
        fields.skip();
    }
  }
  return taint;
}

Toleration toleration_from_json(const JsonObject& toleration) {
  return {toleration.text("key"), toleration.text("operator"), toleration.text("value"),
          toleration.text("effect"), toleration.long_number("tolerationSeconds")};
}

Toleration toleration_from_protobuf(std::string_view message) {
  Toleration toleration;
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1):
        toleration.key = string_of(fields);
        break;
      case bytes_field(2):
        toleration.op = string_of(fields);
        break;
      case bytes_field(3):
        toleration.value = string_of(fields);
        break;
      case bytes_field(4):
        toleration.effect = string_of(fields);
        break;
      case varint_field(5):
        toleration.seconds = fields.get_int64();
        break;
      default:
        fields.skip();
    }
  }
  return toleration;
}

std::vector<Toleration> tolerations_in(const JsonObject& object) {
  std::vector<Toleration> tolerations;
  object.each("tolerations", [&](const JsonObject& toleration) {
    tolerations.push_back(toleration_from_json(toleration));
  });
  return tolerations;
}

}  // namespace gpu::decode
