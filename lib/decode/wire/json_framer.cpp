#include "decode/wire/json_framer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.hpp"

namespace gpu::decode {
namespace {

using nlohmann::json;

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::size_t kMostKeyBytes = 1024;
constexpr std::size_t kMostScalarBytes = 1024;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool is_scalar(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-' || c == '+' || c == '.' ||
         c == 'E';
}

json parsed(std::string_view text) { return json::parse(text, nullptr, false); }

std::string string_member(const json& object, std::string_view name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

}  // namespace

JsonFramer::JsonFramer(ListFramer::OnItem on_item, FrameLimits limits)
    : on_item_(std::move(on_item)), limits_(limits) {}

void JsonFramer::fail(std::uint64_t position, std::string_view expected) {
  throw Error(ErrorKind::data, fmt::format("JSON list: byte {}: expected {}", position, expected));
}

void JsonFramer::fail_at(const char* at, std::string_view expected) const {
  fail(position_of(at), expected);
}

std::uint64_t JsonFramer::position_of(const char* at) const {
  return chunk_at_ + static_cast<std::uint64_t>(at - chunk_);
}

void JsonFramer::feed(std::string_view bytes) {
  const std::string_view allowed = bytes.substr(0, limits_.list_bytes - chunk_at_);
  chunk_ = allowed.data();
  object_from_ = chunk_;
  const char* const end = chunk_ + allowed.size();
  for (const char* at = chunk_; at != end;) at = step(at, end);
  if (whole_ == Whole::kept) keep_object(end);
  chunk_at_ += allowed.size();
  if (allowed.size() < bytes.size())
    fail(chunk_at_, fmt::format("a list of at most {} bytes", limits_.list_bytes));
}

void JsonFramer::finish() {
  if (expect_ == Expect::nothing) return;
  const bool is_empty = expect_ == Expect::byte_order_mark || expect_ == Expect::object;
  fail(chunk_at_, is_empty ? "a JSON object, got the end" : "the rest of the JSON, got the end");
}

const char* JsonFramer::step(const char* at, const char* end) {
  switch (expect_) {
    case Expect::byte_order_mark:
      return take_mark(at);
    case Expect::key_text:
    case Expect::string_text:
      return take_string(at, end);
    case Expect::scalar_text:
      return take_scalar(at, end);
    case Expect::nested_text:
      return take_nested(at, end);
    case Expect::item_text:
      return take_item(at, end);
    default:
      return is_blank(*at) ? at + 1 : take_structure(at);
  }
}

const char* JsonFramer::take_mark(const char* at) {
  const std::uint64_t position = position_of(at);
  if (*at == kByteOrderMark[position]) {
    if (position + 1 == kByteOrderMark.size()) expect_ = Expect::object;
    return at + 1;
  }
  if (position != 0) fail_at(at, "the rest of a byte order mark");
  expect_ = Expect::object;
  return at;
}

const char* JsonFramer::take_structure(const char* at) {
  switch (expect_) {
    case Expect::object:
      if (*at != '{') fail_at(at, "a JSON object");
      whole_ = Whole::kept;
      object_from_ = at;
      expect_ = Expect::first_key_or_end;
      return at + 1;
    case Expect::first_key_or_end:
    case Expect::key:
      return take_key_or_end(at);
    case Expect::colon:
      if (*at != ':') fail_at(at, "`:`");
      expect_ = Expect::value;
      return at + 1;
    case Expect::value:
      return take_value(at);
    case Expect::comma_or_end:
      if (*at == '}') return take_key_or_end(at);
      if (*at != ',') fail_at(at, "`,` or `}`");
      expect_ = Expect::key;
      return at + 1;
    case Expect::first_item_or_end:
    case Expect::item:
      return take_item_or_end(at);
    case Expect::item_comma_or_end:
      if (*at == ']') return take_item_or_end(at);
      if (*at != ',') fail_at(at, "`,` or `]`");
      expect_ = Expect::item;
      return at + 1;
    default:
      fail_at(at, "nothing after the end of the JSON");
  }
}

const char* JsonFramer::take_key_or_end(const char* at) {
  if (*at == '"') {
    value_at_ = position_of(at);
    captured_.assign(1, '"');
    expect_ = Expect::key_text;
    return at + 1;
  }
  if (*at != '}' || expect_ == Expect::key) fail_at(at, "a key in quotes");
  expect_ = Expect::nothing;
  if (whole_ != Whole::is_list) close_object(at + 1);
  return at + 1;
}

const char* JsonFramer::take_value(const char* at) {
  value_at_ = position_of(at);
  captured_.clear();
  if (member_ == Member::items && *at == '[') {
    drop_object();
    expect_ = Expect::first_item_or_end;
    return at + 1;
  }
  if (*at == '{' || *at == '[') {
    nesting_.begin(1);
    expect_ = Expect::nested_text;
    return at;
  }
  if (*at == '"') {
    captured_.assign(1, '"');
    expect_ = Expect::string_text;
    return at + 1;
  }
  if (!is_scalar(*at)) fail_at(at, "a JSON value");
  expect_ = Expect::scalar_text;
  return at;
}

const char* JsonFramer::take_item_or_end(const char* at) {
  if (*at == ']' && expect_ != Expect::item) {
    expect_ = Expect::comma_or_end;
    return at + 1;
  }
  if (*at != '{') fail_at(at, "an item, which is an object");
  value_at_ = position_of(at);
  nesting_.begin(2);
  expect_ = Expect::item_text;
  return at;
}

/// Where a text has to end of which `used` bytes are kept already, so that the limit is found at
/// the same byte however the text is cut.
const char* JsonFramer::within_limit(const char* at, const char* end, std::size_t used,
                                     std::string_view what) const {
  const std::size_t left = limits_.item_bytes - std::min(used, limits_.item_bytes);
  if (left == 0) fail(value_at_, fmt::format("{} of at most {} bytes", what, limits_.item_bytes));
  return at + std::min(left, static_cast<std::size_t>(end - at));
}

const char* JsonFramer::take_string(const char* at, const char* end) {
  const bool is_key = expect_ == Expect::key_text;
  const char* const begin = at;
  if (!is_key && member_ != Member::other) end = within_limit(at, end, captured_.size(), "a value");
  const bool closed = scan_string(at, end, escaped_);
  if (!closed && at != end) fail_at(at, "no control character in a string");
  if (is_key || member_ != Member::other) capture(begin, at);
  if (closed && is_key)
    end_key();
  else if (closed)
    end_value();
  return at;
}

const char* JsonFramer::take_scalar(const char* at, const char* end) {
  const char* const begin = at;
  at = std::find_if_not(at, end, is_scalar);
  captured_.append(begin, at);
  if (captured_.size() > kMostScalarBytes) fail(value_at_, "a JSON value of a sane length");
  if (at == end) return at;
  if (!json::accept(captured_)) fail(value_at_, "a JSON value");
  end_value();
  return at;
}

/// True when the value is closed; throws when its brackets or strings are wrong.
bool JsonFramer::scan_nested(const char*& at, const char* end) {
  switch (nesting_.scan(at, end)) {
    case JsonNesting::Stop::closed:
      return true;
    case JsonNesting::Stop::out_of_bytes:
      return false;
    case JsonNesting::Stop::too_deep:
      fail_at(at, fmt::format("at most {} levels", JsonNesting::kMostDepth));
    case JsonNesting::Stop::mismatch:
      fail_at(at, "the other closing bracket");
    case JsonNesting::Stop::control_character:
      fail_at(at, "no control character");
  }
  return false;
}

const char* JsonFramer::take_nested(const char* at, const char* end) {
  const char* const begin = at;
  const bool is_kept = member_ == Member::metadata || member_ == Member::noted;
  if (is_kept) end = within_limit(at, end, captured_.size(), "a value");
  const bool closed = scan_nested(at, end);
  if (is_kept) capture(begin, at);
  if (closed) end_value();
  return at;
}

const char* JsonFramer::take_item(const char* at, const char* end) {
  const char* const begin = at;
  const bool closed = scan_nested(at, within_limit(at, end, item_.size(), "an item"));
  if (closed && item_.empty()) {
    on_item_({begin, static_cast<std::size_t>(at - begin)});
  } else {
    item_.append(begin, at);
    if (closed) {
      on_item_(item_);
      item_.clear();
    }
  }
  if (closed) expect_ = Expect::item_comma_or_end;
  return at;
}

/// Keeps the text of a key, or of a value that is looked at.
void JsonFramer::capture(const char* begin, const char* end) {
  auto size = static_cast<std::size_t>(end - begin);
  // A key that is cut off is broken JSON, hence none that we know.
  if (expect_ == Expect::key_text) size = std::min(size, kMostKeyBytes - captured_.size());
  captured_.append(begin, size);
}

void JsonFramer::end_key() {
  const json key = parsed(captured_);
  member_ = Member::other;
  if (key == "kind") member_ = Member::kind;
  if (key == "metadata") member_ = Member::metadata;
  if (key.is_string() && is_noted_member(key.get_ref<const std::string&>())) {
    member_ = Member::noted;
    noted_key_ = key.get<std::string>();
  }
  if (key == "items") {
    if (whole_ == Whole::is_list) fail(value_at_, "one member `items`, got a second");
    member_ = Member::items;
  }
  expect_ = Expect::colon;
}

void JsonFramer::end_value() {
  expect_ = Expect::comma_or_end;
  switch (std::exchange(member_, Member::other)) {
    case Member::other:
      return;
    case Member::items:
      if (captured_ != "null") fail(value_at_, "an array of items");
      drop_object();
      return;
    case Member::kind: {
      const json kind = parsed(captured_);
      if (!kind.is_string() && !kind.is_null()) fail(value_at_, "kind to be a string");
      header_.kind = kind.is_string() ? kind.get<std::string>() : std::string{};
      return;
    }
    case Member::metadata:
      read_metadata();
      return;
    case Member::noted:
      header_.noted[noted_key_] = std::exchange(captured_, {});
      return;
  }
}

void JsonFramer::read_metadata() {
  const json metadata = parsed(captured_);
  captured_ = {};
  if (metadata.is_null()) return;
  if (!metadata.is_object()) fail(value_at_, "metadata to be a JSON object");
  header_.resource_version = string_member(metadata, "resourceVersion");
  header_.continue_token = string_member(metadata, "continue");
}

void JsonFramer::drop_object() {
  whole_ = Whole::is_list;
  object_ = {};
}

void JsonFramer::keep_object(const char* end) {
  if (object_.size() + static_cast<std::size_t>(end - object_from_) > limits_.item_bytes) {
    object_ = {};
    whole_ = Whole::too_big;
  } else {
    object_.append(object_from_, end);
  }
}

/// The end of a single object, which is the one item; a list whose `items` are left out has none.
void JsonFramer::close_object(const char* end) {
  if (header_.kind.ends_with("List")) return drop_object();
  const auto size = object_.size() + static_cast<std::size_t>(end - object_from_);
  if (whole_ == Whole::too_big || size > limits_.item_bytes)
    fail(0, fmt::format("an object of at most {} bytes", limits_.item_bytes));
  if (object_.empty()) {
    on_item_({object_from_, size});
  } else {
    object_.append(object_from_, end);
    on_item_(object_);
  }
  drop_object();
}

}  // namespace gpu::decode
