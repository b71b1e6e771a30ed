#include "cost/forecast/money_range.hpp"

#include <algorithm>

#include "base/quantity.hpp"

namespace gpu::cost {
namespace {

std::optional<Money> sum_of(const std::optional<Money>& a, const std::optional<Money>& b) {
  return a && b ? std::optional(*a + *b) : std::nullopt;
}

}  // namespace

MoneyRange operator+(const MoneyRange& a, const MoneyRange& b) {
  return {sum_of(a.low, b.low), sum_of(a.high, b.high)};
}

MoneyRange times(const MoneyRange& amount, std::int64_t count) {
  const auto each = [&](const std::optional<Money>& end) {
    return end ? std::optional(Money{capped_product(end->nano, count)}) : std::nullopt;
  };
  if (count == 0) return kNoMoney;
  return {each(amount.low), each(amount.high)};
}

MoneyRange total_over(const MoneyRange& rate, std::chrono::seconds length) {
  const auto each = [&](const std::optional<Money>& end) {
    return end ? std::optional(gpu::total_over(*end, length)) : std::nullopt;
  };
  return {each(rate.low), each(rate.high)};
}

void widen(MoneyRange& range, Money amount) {
  range.low = std::min(range.low.value_or(amount), amount);
  range.high = std::max(range.high.value_or(amount), amount);
}

}  // namespace gpu::cost
