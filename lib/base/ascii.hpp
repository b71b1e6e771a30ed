#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpu {

/// The ASCII digits, whatever the locale.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The ASCII letters, whatever the locale.
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// `c` with an ASCII capital made small.
constexpr char lower_case(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// `c` with a small ASCII letter made a capital.
constexpr char upper_case(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

/// `text` with ASCII capitals made small; other bytes stay as they are.
std::string lower_case(std::string_view text);

/// `text` with small ASCII letters made capitals; other bytes stay as they are.
std::string upper_case(std::string_view text);

/// Whether two texts are the same but for the case of ASCII letters, as names of headers are.
bool equal_ignoring_case(std::string_view a, std::string_view b);

/// Whether `text` is printable ASCII without quotes and backslashes: nothing in it needs escaping
/// in JSON or YAML.
bool is_simple(std::string_view text);

/// `text` without white space at its ends: what Go's TrimSpace takes of ASCII.
std::string_view trimmed(std::string_view text);

/// The number that `text` is, whole and in decimal digits, a minus before them allowed. Nothing
/// for anything else, and for what does not fit into 64 bits.
std::optional<std::int64_t> whole_number(std::string_view text);

}  // namespace gpu
