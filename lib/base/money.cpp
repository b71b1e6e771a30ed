#include "base/money.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/ascii.hpp"

namespace gpu {
namespace {

constexpr std::int64_t kNanoOfDollar = 1'000'000'000;
constexpr std::size_t kDecimals = 9;

bool is_number(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return is_digit(c); });
}

std::int64_t capped(Int128 value) {
  constexpr Int128 kMost = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(std::clamp(value, -kMost, kMost));
}

/// The value of digits; capped.
std::int64_t number_in(std::string_view digits) {
  std::int64_t value = 0;
  for (const char c : digits) value = capped_sum(capped_product(value, 10), c - '0');
  return value;
}

}  // namespace

std::optional<Money> parse_money(std::string_view text) {
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, point);
  const std::string_view rest = text.substr(std::min(point + 1, text.size()));
  const bool has_point = point < text.size();
  if (!is_number(whole) || !is_number(rest)) return std::nullopt;
  if (whole.empty() || (has_point && rest.empty())) return std::nullopt;
  std::int64_t fraction = 0;
  for (std::size_t i = 0; i < kDecimals; ++i)
    fraction = fraction * 10 + (i < rest.size() ? rest[i] - '0' : 0);
  return Money{capped_sum(capped_product(number_in(whole), kNanoOfDollar), fraction)};
}

Money share_of(Money amount, Int128 parts, Int128 whole) {
  if (amount.is_capped()) return amount;
  const Int128 product = Int128{amount.nano} * parts;
  const Int128 half = product < 0 ? -whole / 2 : whole / 2;
  return {capped((product + half) / whole)};
}

Money total_over(Money rate, std::chrono::seconds length) {
  constexpr Int128 kHour = 3600;
  return share_of(rate, std::max<std::int64_t>(0, length.count()), kHour);
}

std::vector<Money> split(Money amount, std::span<const std::int64_t> weights) {
  const Int128 whole = std::accumulate(weights.begin(), weights.end(), Int128{0});
  std::vector<Money> shares(weights.size());
  if (whole == 0) return shares;
  std::vector<Int128> remainders(weights.size());
  Int128 left = amount.nano;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Int128 product = Int128{amount.nano} * weights[i];
    shares[i].nano = capped(product / whole);
    remainders[i] = product % whole;
    left -= shares[i].nano;
  }
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return remainders[a] > remainders[b]; });
  for (std::size_t i = 0; left > 0; ++i, --left) ++shares[order[i]].nano;
  return shares;
}

}  // namespace gpu
