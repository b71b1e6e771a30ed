#include "base/duration.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <utility>

#include "base/ascii.hpp"

namespace gpu {
namespace {

using std::chrono::seconds;

/// Takes a number and its unit from the front of `text`.
std::optional<seconds> take_part(std::string_view& text) {
  constexpr std::size_t kMostDigits = 9;
  std::int64_t number = 0;
  std::size_t digits = 0;
  for (; digits < text.size() && is_digit(text[digits]); ++digits)
    if (digits < kMostDigits) number = number * 10 + (text[digits] - '0');
  if (digits == 0 || digits > kMostDigits || digits == text.size()) return std::nullopt;
  const char unit = text[digits];
  text.remove_prefix(digits + 1);
  switch (unit) {
    case 's':
      return seconds{number};
    case 'm':
      return std::chrono::minutes{number};
    case 'h':
      return std::chrono::hours{number};
    case 'd':
      return std::chrono::days{number};
    case 'w':
      return std::chrono::weeks{number};
    default:  // of characters, not of an enum
      return std::nullopt;
  }
}

}  // namespace

std::optional<std::chrono::seconds> parse_duration(std::string_view text) {
  if (text.empty()) return std::nullopt;
  constexpr std::chrono::years kLongest{100};
  seconds sum{0};
  while (!text.empty()) {
    const std::optional<seconds> part = take_part(text);
    if (!part) return std::nullopt;
    sum += *part;
    if (sum > kLongest) return std::nullopt;
  }
  return sum;
}

std::string typed_duration(std::chrono::seconds length) {
  using std::chrono::seconds;
  static constexpr std::array<std::pair<seconds, char>, 4> kUnits = {
      {{std::chrono::days{1}, 'd'},
       {std::chrono::hours{1}, 'h'},
       {std::chrono::minutes{1}, 'm'},
       {seconds{1}, 's'}}};
  std::string text;
  for (const auto& [unit, letter] : kUnits) {
    if (length / unit > 0) text += fmt::format("{}{}", length / unit, letter);
    length %= unit;
  }
  return text.empty() ? "0s" : text;
}

}  // namespace gpu
