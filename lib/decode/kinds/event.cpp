#include "decode/kinds/event.hpp"

#include <initializer_list>
#include <optional>
#include <string_view>

#include "decode/objects/metadata.hpp"
#include "decode/wire/json_fields.hpp"
#include "model/objects/own_kind.hpp"
#include "model/snapshot/workload.hpp"

namespace gpu::decode {
namespace {

/// Which of `names` the object has, the API's versions having one each; empty without.
std::string first_text(const JsonObject& object, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    if (std::string text = object.text(name); !text.empty()) return text;
  return {};
}

std::optional<Time> first_time(const JsonObject& object,
                               std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    if (const auto time = object.time(name)) return time;
  return std::nullopt;
}

std::optional<JsonObject> first_object(const JsonObject& object, std::string_view name,
                                       std::string_view other) {
  auto first = object.object(name);
  return first ? first : object.object(other);
}

/// Another's kind is told from Kubernetes' own as kubectl tells them apart: Node.longhorn.io.
std::string kind_of(const JsonObject& about) {
  std::string kind = about.text("kind");
  const std::string version = about.text("apiVersion");
  if (is_namesake(kind, version) && workload_kind(kind, version) == nullptr)
    kind.append(".").append(version, 0, version.find('/'));
  return kind;
}

void read_times(Event& event, const JsonObject& root) {
  event.first = first_time(root, {"firstTimestamp", "deprecatedFirstTimestamp", "eventTime"});
  event.last = first_time(root, {"lastTimestamp", "deprecatedLastTimestamp", "eventTime"});
  auto count = root.long_number("count");
  if (!count) count = root.long_number("deprecatedCount");
  if (const auto series = root.object("series")) {
    if (const auto last = series->time("lastObservedTime")) event.last = last;
    if (const auto several = series->long_number("count")) count = several;
  }
  event.count = count.value_or(0) > 0 ? *count : 1;
}

}  // namespace

Event event_from_json(const nlohmann::json& object) {
  Event event;
  std::string name;
  naming_object("Event", event.ns, name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata")) {
      event.ns = metadata->text("namespace");
      name = metadata->text("name");
    }
    event.type = root.text("type");
    event.reason = root.text("reason");
    event.message = first_text(root, {"message", "note"});
    if (const auto about = first_object(root, "involvedObject", "regarding")) {
      event.kind = kind_of(*about);
      event.object = about->text("name");
      event.object_uid = about->text("uid");
    }
    event.reporter = first_text(root, {"reportingComponent", "reportingController"});
    if (const auto source = first_object(root, "source", "deprecatedSource");
        source && event.reporter.empty())
      event.reporter = source->text("component");
    read_times(event, root);
  });
  return event;
}

}  // namespace gpu::decode
