#include "decode/wire/protobuf_framer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "decode/wire/protobuf.hpp"

namespace gpu::decode {
namespace {

constexpr std::uint64_t kHeaderLimit = std::uint64_t{1} << 20U;

}  // namespace

ProtobufFramer::ProtobufFramer(ListFramer::OnItem on_item, FrameLimits limits)
    : on_item_(std::move(on_item)), limits_(limits) {}

void ProtobufFramer::fail(std::uint64_t position, std::string_view expected) {
  throw Error(ErrorKind::data,
              fmt::format("protobuf list: byte {}: expected {}", position, expected));
}

void ProtobufFramer::feed(std::string_view bytes) {
  std::string_view allowed = bytes.substr(0, limits_.list_bytes - position_);
  const bool too_much = allowed.size() < bytes.size();
  while (!allowed.empty()) allowed.remove_prefix(step(allowed));
  if (too_much) fail(position_, fmt::format("a list of at most {} bytes", limits_.list_bytes));
}

void ProtobufFramer::finish() {
  if (expect_ == Expect::magic) fail(position_, "the four bytes `k8s\\0`, got the end");
  if (level_ == Level::list)
    fail(position_, fmt::format("{} more bytes of the list, got the end", list_end_ - position_));
  if (expect_ == Expect::skipped || expect_ == Expect::collected)
    fail(position_, fmt::format("{} more bytes of field {}, got the end", left_, field_));
  if (expect_ != Expect::tag || varint_bytes_ != 0)
    fail(position_, "the rest of a field, got the end");
  if (!seen_raw_) fail(position_, "the field raw of runtime.Unknown, got the end");
}

/// Consumes at least one byte; says how many.
std::size_t ProtobufFramer::step(std::string_view bytes) {
  switch (expect_) {
    case Expect::magic:
      read_magic(bytes.front());
      return 1;
    case Expect::tag:
    case Expect::varint_value:
    case Expect::length:
      read_varint(bytes.front());
      return 1;
    case Expect::skipped:
      return take_skipped(bytes.size());
    case Expect::collected:
      return take_collected(bytes);
  }
  return bytes.size();
}

void ProtobufFramer::read_magic(char byte) {
  if (byte != kEnvelopeMagic[position_]) fail(position_, "the four bytes `k8s\\0`");
  if (++position_ == kEnvelopeMagic.size()) expect_ = Expect::tag;
}

/// Tags, lengths and values are all varints; one comes a byte at a time, since it is cut anywhere.
void ProtobufFramer::read_varint(char byte) {
  constexpr unsigned kMostBytes = 10;
  if (left_in_level() == 0) fail(position_, "the rest of a field, got the end of the list");
  if (varint_bytes_ == 0) varint_at_ = position_;
  const auto bits = static_cast<unsigned char>(byte);
  // Of the tenth byte only the lowest bit fits into 64.
  if (varint_bytes_ == kMostBytes - 1 && bits > 1) fail(varint_at_, "a varint of at most 64 bits");
  varint_ |= std::uint64_t{bits & 0x7FU} << (7U * varint_bytes_);
  ++varint_bytes_;
  ++position_;
  if ((bits & 0x80U) != 0) return;

  const std::uint64_t value = std::exchange(varint_, 0);
  varint_bytes_ = 0;
  if (expect_ == Expect::tag)
    on_tag(value);
  else if (expect_ == Expect::length)
    on_length(value);
  else
    end_field();
}

void ProtobufFramer::on_tag(std::uint64_t tag) {
  constexpr std::uint64_t kMostField = (1U << 29U) - 1;
  const std::uint64_t number = tag >> 3U;
  if (number == 0 || number > kMostField) fail(varint_at_, "a field number of 1 to 2^29-1");
  field_ = static_cast<std::uint32_t>(number);
  switch (static_cast<protozero::pbf_wire_type>(tag & 7U)) {
    case protozero::pbf_wire_type::varint:
      expect_ = Expect::varint_value;
      return;
    case protozero::pbf_wire_type::fixed64:
      skip(8);
      return;
    case protozero::pbf_wire_type::length_delimited:
      expect_ = Expect::length;
      return;
    case protozero::pbf_wire_type::fixed32:
      skip(4);
      return;
    case protozero::pbf_wire_type::unknown:
      break;
  }
  fail(varint_at_, fmt::format("a wire type of 0, 1, 2 or 5, got {}", tag & 7U));
}

void ProtobufFramer::on_length(std::uint64_t length) {
  if (level_ == Level::envelope && field_ == 1)
    collect(Target::type_meta, length);
  else if (level_ == Level::envelope && field_ == 2)
    open_raw(length);
  else if (level_ == Level::list && field_ == 1)
    collect(Target::list_meta, length);
  else if (level_ == Level::list && field_ == 2)
    collect(Target::item, length);
  else
    skip(length);
}

void ProtobufFramer::open_raw(std::uint64_t length) {
  if (std::exchange(seen_raw_, true)) fail(varint_at_, "one field raw, got a second");
  if (length > limits_.list_bytes)
    fail(varint_at_, fmt::format("a list of at most {} bytes", limits_.list_bytes));
  if (header_.kind == kStatusKind) {
    skip(length);
  } else if (header_.kind.empty() || header_.kind.ends_with("List")) {
    level_ = Level::list;
    list_end_ = position_ + length;
    end_field();
  } else {
    collect(Target::item, length);
  }
}

void ProtobufFramer::skip(std::uint64_t length) {
  if (length > left_in_level())
    fail(varint_at_, fmt::format("a field of at most {} bytes, got {}", left_in_level(), length));
  left_ = length;
  expect_ = Expect::skipped;
  if (length == 0) end_field();
}

void ProtobufFramer::collect(Target target, std::uint64_t length) {
  const std::uint64_t limit = target == Target::item ? limits_.item_bytes : kHeaderLimit;
  const std::uint64_t most = std::min(limit, left_in_level());
  if (length > most)
    fail(varint_at_, fmt::format("a field of at most {} bytes, got {}", most, length));
  target_ = target;
  left_ = length;
  expect_ = Expect::collected;
  if (length == 0) deliver({});
}

std::size_t ProtobufFramer::take_skipped(std::size_t available) {
  const auto taken = static_cast<std::size_t>(std::min<std::uint64_t>(left_, available));
  position_ += taken;
  left_ -= taken;
  if (left_ == 0) end_field();
  return taken;
}

std::size_t ProtobufFramer::take_collected(std::string_view bytes) {
  const std::string_view part =
      bytes.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size())));
  position_ += part.size();
  left_ -= part.size();
  if (left_ == 0 && buffer_.empty()) {
    deliver(part);
  } else {
    buffer_ += part;
    if (left_ == 0) {
      deliver(buffer_);
      buffer_.clear();
    }
  }
  return part.size();
}

void ProtobufFramer::deliver(std::string_view message) {
  if (target_ == Target::item) {
    on_item_(message);
  } else {
    try {
      if (target_ == Target::type_meta) {
        header_.kind = text_field(message, 2);
      } else {
        header_.resource_version = text_field(message, 2);
        header_.continue_token = text_field(message, 3);
      }
    } catch (const protozero::exception& error) {
      fail(position_ - message.size(),
           fmt::format("{}, got broken protobuf: {}",
                       target_ == Target::type_meta ? "TypeMeta" : "ListMeta", error.what()));
    }
  }
  end_field();
}

void ProtobufFramer::end_field() {
  expect_ = Expect::tag;
  if (level_ == Level::list && position_ == list_end_) level_ = Level::envelope;
}

std::uint64_t ProtobufFramer::left_in_level() const {
  return level_ == Level::list ? list_end_ - position_ : std::numeric_limits<std::uint64_t>::max();
}

}  // namespace gpu::decode
