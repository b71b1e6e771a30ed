#include "kube/config/request_timeout.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <system_error>
#include <utility>

#include "base/ascii.hpp"
#include "base/error.hpp"

namespace gpu::kube {
namespace {

constexpr double kMaxMilliseconds = 9.2e12;  // what Go's nanoseconds can hold

/// Milliseconds in a unit at the front of `text`, which is removed.
std::optional<double> take_unit(std::string_view& text) {
  static constexpr std::array<std::pair<std::string_view, double>, 8> kUnits = {{
      {"ns", 1e-6},
      {"us", 1e-3},
      {"\u00b5s", 1e-3},
      {"\u03bcs", 1e-3},
      {"ms", 1},
      {"s", 1000},
      {"m", 60'000},
      {"h", 3'600'000},
  }};
  for (const auto& [name, milliseconds] : kUnits) {
    if (!text.starts_with(name)) continue;
    text.remove_prefix(name.size());
    return milliseconds;
  }
  return std::nullopt;
}

/// Go's time.ParseDuration, in milliseconds.
std::optional<double> parse_duration(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text == "0") return 0;
  if (text.empty()) return std::nullopt;
  double sum = 0;
  while (!text.empty()) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
    double number = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + digits, number);
    if (digits == 0 || error != std::errc{} || stop != text.data() + digits) return std::nullopt;
    text.remove_prefix(digits);
    const std::optional<double> unit = take_unit(text);
    if (!unit) return std::nullopt;
    sum += number * *unit;
  }
  if (sum > kMaxMilliseconds) return std::nullopt;
  return negative ? -sum : sum;
}

std::optional<double> parse_seconds(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const std::optional<std::int64_t> seconds = whole_number(text);
  if (!seconds || *seconds < 0) return std::nullopt;
  return std::min(static_cast<double>(*seconds) * 1000, kMaxMilliseconds);
}

}  // namespace

std::optional<std::chrono::milliseconds> parse_request_timeout(std::string_view text) {
  std::optional<double> milliseconds = parse_seconds(text);
  if (!milliseconds) milliseconds = parse_duration(text);
  if (!milliseconds)
    throw Error(ErrorKind::usage,
                "Invalid timeout value. Timeout must be a single integer in seconds, or an integer "
                "followed by a corresponding time unit (e.g. 1s | 2m | 3h)");
  if (*milliseconds <= 0) return std::nullopt;
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(*milliseconds)));
}

}  // namespace gpu::kube
