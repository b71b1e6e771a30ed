#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/money.hpp"

namespace gpu::cost {

/// An amount between two ends. Without `high`, the highest amount is not known; without `low`,
/// nothing is known.
struct MoneyRange {
  std::optional<Money> low, high;

  [[nodiscard]] bool is_known() const { return low && high; }
  friend bool operator==(const MoneyRange&, const MoneyRange&) = default;
};

/// No money at all: what sums start from.
inline constexpr MoneyRange kNoMoney{Money{}, Money{}};

/// Adds both ends. The sum lacks an end that one of them lacks.
MoneyRange operator+(const MoneyRange& a, const MoneyRange& b);

/// `count` times the amount.
MoneyRange times(const MoneyRange& amount, std::int64_t count);

/// The total of `rate`, which is per hour, over `length`.
MoneyRange total_over(const MoneyRange& rate, std::chrono::seconds length);

/// `amount` widens `range` to hold it.
void widen(MoneyRange& range, Money amount);

}  // namespace gpu::cost
