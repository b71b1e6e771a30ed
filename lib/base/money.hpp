#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/quantity.hpp"

namespace gpu {

/// An amount of US dollars, exact to a billionth. Sums stop at the ends of 64 bits (9.2 billion
/// dollars), and stay there: prices come from outside.
struct Money {
  std::int64_t nano = 0;

  /// Whether it is at an end: the amount did not fit, and is not known.
  [[nodiscard]] constexpr bool is_capped() const {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    return nano == kMost || nano <= -kMost;
  }
  Money& operator+=(Money other) {
    if (!is_capped()) nano = other.is_capped() ? other.nano : capped_sum(nano, other.nano);
    return *this;
  }
  friend Money operator+(Money a, Money b) { return a += b; }
  friend Money operator-(Money a, Money b) { return a += Money{capped_product(b.nano, -1)}; }
  friend constexpr auto operator<=>(Money, Money) = default;
};

/// "21.957642", "0.5", "12": no sign, no exponent, at most nine decimals count. Nothing for any
/// other text.
std::optional<Money> parse_money(std::string_view text);

/// `amount` times `parts` of `whole`, rounded to the nearest billionth; `whole` is above 0. Of an
/// amount that is not known, nothing is known.
Money share_of(Money amount, Int128 parts, Int128 whole);

/// What `rate` dollars an hour come to over `length`; 0 for a negative length.
Money total_over(Money rate, std::chrono::seconds length);

/// `amount` in as many shares as there are `weights`, each in proportion to its weight, by largest
/// remainder: the shares always add up to `amount`. All 0 where all weights are; no weight is
/// negative, and they add up to less than 2^63.
std::vector<Money> split(Money amount, std::span<const std::int64_t> weights);

}  // namespace gpu
