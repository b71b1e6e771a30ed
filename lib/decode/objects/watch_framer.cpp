#include "decode/objects/watch_framer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "decode/wire/json_item.hpp"

namespace gpu::decode {
namespace {

constexpr std::size_t kLengthBytes = 4;
constexpr std::size_t kIncomplete = std::string_view::npos;

[[noreturn]] void fail_frame(std::string_view expected) {
  throw Error(ErrorKind::data, fmt::format("watch: expected {}", expected));
}

std::size_t big_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (const char byte : bytes.substr(0, kLengthBytes))
    value = value << 8U | static_cast<unsigned char>(byte);
  return value;
}

}  // namespace

WatchFramer::WatchFramer(Wire wire, OnEvent on_event, FrameLimits limits)
    : wire_(wire), on_event_(std::move(on_event)), limits_(limits) {}

void WatchFramer::feed(std::string_view bytes) {
  // A frame that came whole, as most do, is never copied.
  const bool is_joined = !buffer_.empty();
  if (is_joined) buffer_ += bytes;
  std::string_view rest = is_joined ? std::string_view(buffer_) : bytes;
  for (std::size_t end = frame_end(rest); end != kIncomplete; end = frame_end(rest)) {
    deliver(rest.substr(0, end));
    rest.remove_prefix(end);
    searched_ = 0;
  }
  searched_ = rest.size();
  if (is_joined)
    buffer_.erase(0, buffer_.size() - rest.size());
  else
    buffer_ = rest;
  // A big event must not keep its room for hours.
  if (buffer_.empty()) std::string().swap(buffer_);
}

/// Where the first frame of `bytes` ends, its length or line end included.
std::size_t WatchFramer::frame_end(std::string_view bytes) const {
  if (wire_ == Wire::json) {
    const std::size_t line_end = bytes.find('\n', std::min(searched_, bytes.size()));
    if (std::min(line_end, bytes.size()) > limits_.item_bytes)
      fail_frame(fmt::format("a line of at most {} bytes", limits_.item_bytes));
    return line_end == std::string_view::npos ? kIncomplete : line_end + 1;
  }
  if (bytes.size() < kLengthBytes) return kIncomplete;
  const std::size_t length = big_endian(bytes);
  if (length > limits_.item_bytes)
    fail_frame(fmt::format("an event of at most {} bytes, got {}", limits_.item_bytes, length));
  return bytes.size() - kLengthBytes < length ? kIncomplete : length + kLengthBytes;
}

void WatchFramer::deliver(std::string_view frame) {
  if (wire_ == Wire::protobuf)
    return on_event_(watch_event_from_protobuf(frame.substr(kLengthBytes)));
  const std::string_view line = trimmed(frame);
  if (line.empty()) return;
  const nlohmann::json object = json_item(line);
  on_event_(watch_event_from_json(object));
}

void WatchFramer::finish() {
  if (buffer_.empty()) return;
  if (wire_ == Wire::protobuf)
    fail_frame(fmt::format("the rest of an event, got the end after {} bytes", buffer_.size()));
  deliver(std::exchange(buffer_, {}));
}

}  // namespace gpu::decode
