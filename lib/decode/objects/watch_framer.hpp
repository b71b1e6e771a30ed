#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "decode/objects/watch_event.hpp"
#include "decode/wire/list_framer.hpp"

namespace gpu::decode {

/// Cuts the events out of the body of a watch while its bytes arrive. Protobuf: messages of
/// meta/v1 WatchEvent, each after its length in four bytes, big endian. JSON: one object a line.
/// Every throw is Error{data}.
class WatchFramer {
 public:
  /// The event's views are valid during the call only.
  using OnEvent = std::function<void(const WatchEvent& event)>;

  WatchFramer(Wire wire, OnEvent on_event, FrameLimits limits = {});

  /// The next bytes, cut anywhere.
  void feed(std::string_view bytes);
  /// The end of the body. Throws when it ends inside an event.
  void finish();

 private:
  [[nodiscard]] std::size_t frame_end(std::string_view bytes) const;
  void deliver(std::string_view frame);

  Wire wire_;
  OnEvent on_event_;
  FrameLimits limits_;
  std::string buffer_;        // the start of a frame that came in parts
  std::size_t searched_ = 0;  // bytes of it that hold no line end
};

}  // namespace gpu::decode
