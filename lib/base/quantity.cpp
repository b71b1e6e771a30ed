#include "base/quantity.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "base/ascii.hpp"

namespace gpu {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kNanosPerUnit = 1'000'000'000;

/// A suffix stands for 10^ten * 2^two.
struct Scale {
  std::int64_t ten = 0;
  unsigned two = 0;
};

/// Cuts the digits off the front of `text`.
std::string_view take_digits(std::string_view& text) {
  std::size_t length = 0;
  while (length < text.size() && is_digit(text[length])) ++length;
  const std::string_view digits = text.substr(0, length);
  text.remove_prefix(length);
  return digits;
}

/// What stands after `e` or `E`.
std::optional<Scale> scale_of_exponent(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  const std::optional<std::int64_t> exponent = whole_number(text);
  if (!exponent) return std::nullopt;
  // apimachinery keeps the low 32 bits of an exponent, so that 1e4294967299 is 1e3.
  return Scale{static_cast<std::int32_t>(static_cast<std::uint32_t>(*exponent)), 0};
}

std::optional<Scale> scale_of_suffix(std::string_view suffix) {
  struct Known {
    std::string_view suffix;
    Scale scale;
  };
  static constexpr std::array kKnown{
      Known{"", {0, 0}},    Known{"m", {-3, 0}},  Known{"Mi", {0, 20}}, Known{"Gi", {0, 30}},
      Known{"Ki", {0, 10}}, Known{"k", {3, 0}},   Known{"M", {6, 0}},   Known{"G", {9, 0}},
      Known{"n", {-9, 0}},  Known{"u", {-6, 0}},  Known{"T", {12, 0}},  Known{"P", {15, 0}},
      Known{"E", {18, 0}},  Known{"Ti", {0, 40}}, Known{"Pi", {0, 50}}, Known{"Ei", {0, 60}},
  };
  for (const Known& known : kKnown)
    if (known.suffix == suffix) return known.scale;
  if (suffix.front() == 'e' || suffix.front() == 'E') return scale_of_exponent(suffix.substr(1));
  return std::nullopt;
}

/// The digits of a number, with the decimal point before the digit at index `point`; both ends go
/// on with zeros.
class Digits {
 public:
  Digits(std::string_view whole, std::string_view fraction, std::int64_t shift)
      : whole_(whole), fraction_(fraction), point_(signed_size(whole) + shift) {}

  [[nodiscard]] std::int64_t point() const { return point_; }
  [[nodiscard]] std::int64_t size() const { return signed_size(whole_) + signed_size(fraction_); }
  [[nodiscard]] int at(std::int64_t index) const {
    if (index < 0 || index >= size()) return 0;
    const auto i = static_cast<std::size_t>(index);
    return (i < whole_.size() ? whole_[i] : fraction_[i - whole_.size()]) - '0';
  }
  /// size() when all are zero.
  [[nodiscard]] std::int64_t first_not_zero() const {
    std::int64_t index = 0;
    while (index < size() && at(index) == 0) ++index;
    return index;
  }

 private:
  static std::int64_t signed_size(std::string_view text) {
    return static_cast<std::int64_t>(text.size());
  }
  std::string_view whole_;
  std::string_view fraction_;
  std::int64_t point_;
};

/// `digits` * 2^two in billionths, rounded up, capped.
Int128 nanos_of(const Digits& digits, unsigned two) {
  constexpr Int128 kCap = Int128{kMost} * kNanosPerUnit;
  constexpr std::int64_t kMostWholeDigits = 19;  // of 2^63-1
  constexpr std::int64_t kMostNanoDigits = 29;   // of 2^60 * 10^9, and one more
  const std::int64_t first = digits.first_not_zero();
  if (first == digits.size()) return 0;
  if (digits.point() - first > kMostWholeDigits) return kCap;
  if (first - digits.point() > kMostNanoDigits) return 1;

  Int128 whole = 0;
  for (std::int64_t i = first; i < digits.point(); ++i) whole = whole * 10 + digits.at(i);
  if (whole > (kMost >> two)) return kCap;

  // Horner's scheme from the last digit on; what a division drops is only seen as "inexact".
  const Int128 unit = Int128{kNanosPerUnit} << two;
  Int128 fraction = 0;
  bool inexact = false;
  for (std::int64_t i = digits.size() - 1; i >= digits.point(); --i) {
    fraction += digits.at(i) * unit;
    inexact = inexact || fraction % 10 != 0;
    fraction /= 10;
  }
  return std::min(kCap, whole * unit + fraction + (inexact ? 1 : 0));
}

/// Away from zero: part of a device is a device.
std::int64_t rounded_up(Int128 nanos, std::int64_t unit) {
  const Int128 magnitude = ((nanos < 0 ? -nanos : nanos) + unit - 1) / unit;
  const auto capped = static_cast<std::int64_t>(std::min(magnitude, Int128{kMost}));
  return nanos < 0 ? -capped : capped;
}

std::int64_t capped(Int128 value) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(std::clamp<Int128>(value, kLeast, kMost));
}

}  // namespace

std::optional<Quantity> Quantity::parse(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const bool negative = text.front() == '-';
  if (negative || text.front() == '+') text.remove_prefix(1);
  const std::string_view whole = take_digits(text);
  std::string_view fraction;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    fraction = take_digits(text);
  }
  const std::optional<Scale> scale = scale_of_suffix(text);
  if (!scale) return std::nullopt;
  // A suffix without a digit is zero to apimachinery, except on its path for tiny numbers.
  if (whole.empty() && fraction.empty() && scale->ten < -9) return std::nullopt;
  const Int128 nanos = nanos_of(Digits(whole, fraction, scale->ten), scale->two);
  return Quantity{negative ? -nanos : nanos};
}

std::int64_t Quantity::value() const { return rounded_up(nanos_, kUnit); }

std::int64_t Quantity::milli_value() const { return rounded_up(nanos_, kUnit / 1000); }

std::int64_t times_in(Quantity part, Quantity whole) {
  if (part.nanos_ <= 0 || whole.nanos_ <= 0) return 0;
  return capped(whole.nanos_ / part.nanos_);
}

std::int64_t capped_sum(std::int64_t a, std::int64_t b) { return capped(Int128{a} + b); }

std::int64_t capped_product(std::int64_t a, std::int64_t b) { return capped(Int128{a} * b); }

}  // namespace gpu
