#include "telemetry/dialects/number.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <system_error>

#include "base/ascii.hpp"

namespace gpu::telemetry {
namespace {

/// How many digits the first one that counts stands before the point, in "123.4e5" 3; 0 or less
/// behind it.
std::int64_t leading_place(std::string_view mantissa) {
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = std::min(mantissa.find_first_of("123456789"), mantissa.size());
  const auto place = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
  return first < point ? place : place + 1;
}

/// Whether a number in digits that no double holds is too large, not too small.
bool is_too_large(std::string_view digits) {
  const std::size_t e = std::min(digits.find_first_of("eE"), digits.size());
  std::int64_t exponent = 0;
  bool is_negative = false;
  for (const char c : digits.substr(std::min(e + 1, digits.size()))) {
    is_negative |= c == '-';
    if (is_digit(c)) exponent = std::min<std::int64_t>(exponent * 10 + (c - '0'), 1'000'000'000);
  }
  return leading_place(digits.substr(0, e)) + (is_negative ? -exponent : exponent) > 0;
}

std::optional<double> magnitude_of(std::string_view text) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (equal_ignoring_case(text, "nan")) return std::numeric_limits<double>::quiet_NaN();
  if (equal_ignoring_case(text, "inf") || equal_ignoring_case(text, "infinity")) return kInfinity;
  if (text.empty() || (!is_digit(text[0]) && text[0] != '.')) return std::nullopt;
  double value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, problem] = std::from_chars(text.data(), last, value);
  if (end != last) return std::nullopt;
  if (problem == std::errc::result_out_of_range) return is_too_large(text) ? kInfinity : 0;
  if (problem != std::errc{}) return std::nullopt;
  return value;
}

}  // namespace

std::optional<double> parse_float(std::string_view text) {
  const bool is_signed = text.starts_with('+') || text.starts_with('-');
  const std::optional<double> magnitude = magnitude_of(text.substr(is_signed ? 1 : 0));
  if (!magnitude) return std::nullopt;
  return text[0] == '-' ? -*magnitude : *magnitude;
}

}  // namespace gpu::telemetry
