#include "decode/wire/json_nesting.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace gpu::decode {
namespace {

enum class Kind : std::uint8_t { plain, quote, bracket, backslash, control };

constexpr std::array<Kind, 256> kind_table() {
  std::array<Kind, 256> kinds{};
  for (std::size_t c = 0; c < 0x20; ++c) kinds[c] = Kind::control;
  kinds['"'] = Kind::quote;
  kinds['\\'] = Kind::backslash;
  for (const char c : {'{', '}', '[', ']'}) kinds[static_cast<unsigned char>(c)] = Kind::bracket;
  return kinds;
}
constexpr std::array<Kind, 256> kInString = kind_table();

constexpr std::array<Kind, 256> outside_table() {
  std::array<Kind, 256> kinds = kind_table();
  for (const char c : {' ', '\t', '\n', '\r', '\\'})
    kinds[static_cast<unsigned char>(c)] = Kind::plain;
  return kinds;
}
constexpr std::array<Kind, 256> kOutside = outside_table();

Kind kind_of(const std::array<Kind, 256>& kinds, char c) {
  return kinds[static_cast<unsigned char>(c)];
}

/// Whether one of eight bytes is a quote, a backslash, or below 0x20 ("has less" and "has value"
/// of the bit-twiddling canon; a false yes only costs a look at single bytes).
bool has_special(const char* at) {
  constexpr std::uint64_t kOnes = 0x0101'0101'0101'0101;
  constexpr std::uint64_t kHighs = 0x8080'8080'8080'8080;
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  const std::uint64_t quote = word ^ (kOnes * '"');
  const std::uint64_t backslash = word ^ (kOnes * '\\');
  return ((((word - kOnes * 0x20) & ~word) | ((quote - kOnes) & ~quote) |
           ((backslash - kOnes) & ~backslash)) &
          kHighs) != 0;
}

}  // namespace

bool scan_string(const char*& at, const char* end, bool& escaped) {
  while (at != end) {
    if (!escaped) {
      while (end - at >= 8 && !has_special(at)) at += 8;
      if (at == end) return false;
    }
    const Kind kind = kind_of(kInString, *at);
    if (kind == Kind::control) return false;
    const bool was_escaped = escaped;
    escaped = !was_escaped && kind == Kind::backslash;
    ++at;
    if (kind == Kind::quote && !was_escaped) return true;
  }
  return false;
}

void JsonNesting::begin(unsigned outer) {
  depth_ = 0;
  most_depth_ = kMostDepth - outer;
  in_string_ = false;
  escaped_ = false;
}

JsonNesting::Stop JsonNesting::scan(const char*& at, const char* end) {
  while (at != end) {
    if (in_string_) {
      if (!scan_string(at, end, escaped_))
        return at == end ? Stop::out_of_bytes : Stop::control_character;
      in_string_ = false;
      continue;
    }
    const Kind kind = kind_of(kOutside, *at);
    if (kind == Kind::control) return Stop::control_character;
    if (kind == Kind::bracket) {
      const Stop stop = on_bracket(*at);
      if (stop == Stop::closed) ++at;
      if (stop != Stop::out_of_bytes) return stop;
    }
    in_string_ = kind == Kind::quote;
    ++at;
  }
  return Stop::out_of_bytes;
}

/// `out_of_bytes` means: go on.
JsonNesting::Stop JsonNesting::on_bracket(char bracket) {
  if (bracket == '{' || bracket == '[') {
    if (depth_ == most_depth_) return Stop::too_deep;
    closing_[depth_++] = bracket == '{' ? '}' : ']';
    return Stop::out_of_bytes;
  }
  if (closing_[depth_ - 1] != bracket) return Stop::mismatch;
  return --depth_ == 0 ? Stop::closed : Stop::out_of_bytes;
}

}  // namespace gpu::decode
