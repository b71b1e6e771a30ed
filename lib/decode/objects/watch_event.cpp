#include "decode/objects/watch_event.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.hpp"
#include "decode/wire/json_fields.hpp"
#include "decode/wire/path.hpp"
#include "decode/wire/protobuf.hpp"

namespace gpu::decode {
namespace {

constexpr protozero::pbf_tag_type kResourceVersion = 6;  // of ObjectMeta

[[noreturn]] void fail_event(std::string_view problem) {
  throw Error(ErrorKind::data, fmt::format("watch event: {}", problem));
}

WatchEventType type_named(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, WatchEventType>, 5> kTypes = {
      {{"ADDED", WatchEventType::added},
       {"MODIFIED", WatchEventType::modified},
       {"DELETED", WatchEventType::deleted},
       {"BOOKMARK", WatchEventType::bookmark},
       {"ERROR", WatchEventType::error}}};
  for (const auto& [known, type] : kTypes)
    if (known == name) return type;
  fail_event(
      fmt::format("expected ADDED, MODIFIED, DELETED, BOOKMARK or ERROR, got {}", in_quotes(name)));
}

/// The last value of the length-delimited field `tag`, as a view.
std::string_view view_field(std::string_view message, protozero::pbf_tag_type tag) {
  std::string_view view;
  for (auto fields = fields_of(message); fields.next();) {
    if (fields.tag_and_type() == bytes_field(tag))
      view = bytes_of(fields);
    else
      fields.skip();
  }
  return view;
}

WatchEvent read_protobuf(std::string_view frame) {
  WatchEvent event{.type = type_named(view_field(frame, 1))};
  // RawExtension {1 raw}, whose bytes are the object in its own envelope.
  const std::string_view object = view_field(view_field(frame, 2), 1);
  if (event.type == WatchEventType::error) {
    event.status = status_from_body(object);
    return event;
  }
  if (!object.starts_with(kEnvelopeMagic))
    fail_event("expected an object that starts with the four bytes `k8s\\0`");
  event.message = view_field(object.substr(kEnvelopeMagic.size()), 2);
  event.resource_version = view_field(view_field(event.message, 1), kResourceVersion);
  return event;
}

}  // namespace

WatchEvent watch_event_from_protobuf(std::string_view frame) {
  try {
    return read_protobuf(frame);
  } catch (const protozero::exception& error) {
    fail_event(std::string("broken protobuf: ") + error.what());
  }
}

WatchEvent watch_event_from_json(const nlohmann::json& frame) {
  if (!frame.is_object()) fail_event("expected an object");
  const JsonObject fields(frame, Path{});
  WatchEvent event{.type = type_named(fields.text("type"))};
  const auto object = fields.object("object");
  if (!object) fail_event("expected a member `object`");
  event.object = &frame["object"];
  if (event.type == WatchEventType::error)
    event.status = status_from_body(event.object->dump());
  else if (const auto metadata = object->object("metadata"))
    event.resource_version = metadata->text("resourceVersion");
  return event;
}

}  // namespace gpu::decode
