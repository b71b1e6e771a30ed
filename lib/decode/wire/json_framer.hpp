#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "decode/wire/json_nesting.hpp"
#include "decode/wire/list_framer.hpp"
#include "decode/wire/list_header.hpp"

namespace gpu::decode {

/// ListFramer for JSON: a small state machine for the members of the outermost object and the
/// elements of its `items`, of whose insides it only counts the brackets.
class JsonFramer {
 public:
  JsonFramer(ListFramer::OnItem on_item, FrameLimits limits);
  void feed(std::string_view bytes);
  void finish();
  [[nodiscard]] const ListHeader& header() const { return header_; }

 private:
  /// What comes next, white space aside.
  enum class Expect {
    byte_order_mark,
    object,
    first_key_or_end,
    key,
    key_text,
    colon,
    value,
    string_text,
    scalar_text,
    nested_text,
    comma_or_end,
    first_item_or_end,
    item,
    item_text,
    item_comma_or_end,
    nothing,
  };
  /// Which member of the outermost object we are at.
  enum class Member { other, kind, metadata, items, noted };

  [[noreturn]] static void fail(std::uint64_t position, std::string_view expected);
  [[noreturn]] void fail_at(const char* at, std::string_view expected) const;
  [[nodiscard]] std::uint64_t position_of(const char* at) const;

  const char* step(const char* at, const char* end);
  const char* take_mark(const char* at);
  const char* take_structure(const char* at);
  const char* take_key_or_end(const char* at);
  const char* take_value(const char* at);
  const char* take_item_or_end(const char* at);
  const char* take_string(const char* at, const char* end);
  const char* take_scalar(const char* at, const char* end);
  const char* take_nested(const char* at, const char* end);
  const char* take_item(const char* at, const char* end);
  const char* within_limit(const char* at, const char* end, std::size_t used,
                           std::string_view what) const;
  bool scan_nested(const char*& at, const char* end);
  void capture(const char* begin, const char* end);
  void end_key();
  void end_value();
  void read_metadata();
  void drop_object();
  void keep_object(const char* end);
  void close_object(const char* end);

  ListFramer::OnItem on_item_;
  FrameLimits limits_;
  ListHeader header_;
  Expect expect_ = Expect::byte_order_mark;
  Member member_ = Member::other;
  JsonNesting nesting_;
  bool escaped_ = false;
  std::string noted_key_;
  std::string captured_;        // the text of a key, or of a value that is looked at
  std::uint64_t value_at_ = 0;  // where the key, value or item began
  std::string item_;            // the start of an item that came in parts

  // The whole text, for as long as it may turn out to be a single object.
  enum class Whole { unknown, kept, too_big, is_list } whole_ = Whole::unknown;
  std::string object_;
  const char* object_from_ = nullptr;  // start of what is not in object_ yet

  const char* chunk_ = nullptr;
  std::uint64_t chunk_at_ = 0;  // position of the first byte of the chunk
};

}  // namespace gpu::decode
