#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "decode/objects/status.hpp"
#include "decode/wire/list_framer.hpp"

namespace gpu::decode {

/// What happened to the object of a watch event.
enum class WatchEventType {
  added,
  modified,
  deleted,
  bookmark,  ///< nothing: all up to its version was sent
  error,     ///< the watch is over; a Status says why
};

/// One event of a watch.
struct WatchEvent {
  WatchEventType type = WatchEventType::bookmark;
  std::string resource_version;            ///< of the object: where to go on from
  std::string_view message;                ///< the object's protobuf message
  const nlohmann::json* object = nullptr;  ///< the object, where the watch is JSON
  std::optional<Status> status;            ///< of an error, if it could be read
};

/// A meta/v1 WatchEvent message. The event points into `frame`. Throws Error{data}.
WatchEvent watch_event_from_protobuf(std::string_view frame);

/// A WatchEvent object as `json_item` reads it. The event points into `frame`. Throws Error{data}.
WatchEvent watch_event_from_json(const nlohmann::json& frame);

}  // namespace gpu::decode
