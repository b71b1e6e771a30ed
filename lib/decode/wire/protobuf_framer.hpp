#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "decode/wire/list_framer.hpp"
#include "decode/wire/list_header.hpp"

namespace gpu::decode {

/// ListFramer for protobuf: `k8s\0`, then runtime.Unknown {1 typeMeta, 2 raw}, whose raw is a
/// FooList {1 metadata, 2 items}. All other fields are passed over as they arrive, whatever their
/// size.
class ProtobufFramer {
 public:
  ProtobufFramer(ListFramer::OnItem on_item, FrameLimits limits);
  void feed(std::string_view bytes);
  void finish();
  [[nodiscard]] const ListHeader& header() const { return header_; }

 private:
  /// What the next byte belongs to.
  enum class Expect { magic, tag, varint_value, length, skipped, collected };
  /// Which message the fields are of: runtime.Unknown, or the list in its `raw`.
  enum class Level { envelope, list };
  enum class Target { type_meta, list_meta, item };

  [[noreturn]] static void fail(std::uint64_t position, std::string_view expected);
  std::size_t step(std::string_view bytes);
  void read_magic(char byte);
  void read_varint(char byte);
  void on_tag(std::uint64_t tag);
  void on_length(std::uint64_t length);
  void open_raw(std::uint64_t length);
  void skip(std::uint64_t length);
  void collect(Target target, std::uint64_t length);
  std::size_t take_skipped(std::size_t available);
  std::size_t take_collected(std::string_view bytes);
  void deliver(std::string_view message);
  void end_field();
  [[nodiscard]] std::uint64_t left_in_level() const;

  ListFramer::OnItem on_item_;
  FrameLimits limits_;
  ListHeader header_;
  std::uint64_t position_ = 0;
  std::uint64_t varint_at_ = 0;  // where the last varint began
  Expect expect_ = Expect::magic;
  Level level_ = Level::envelope;
  std::uint64_t list_end_ = 0;  // position of the first byte after raw
  bool seen_raw_ = false;
  std::uint64_t varint_ = 0;
  unsigned varint_bytes_ = 0;
  std::uint32_t field_ = 0;
  std::uint64_t left_ = 0;  // bytes of the field that are still to come
  Target target_ = Target::item;
  std::string buffer_;  // the start of a collected field that came in parts
};

}  // namespace gpu::decode
