#include "usage/rows/amounts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/quantity.hpp"
#include "usage/rows/unit.hpp"

namespace gpu::usage {
namespace {

constexpr std::size_t kMostAmounts = 3;

/// Units under one word: a model's cards, or all units of a kind.
struct Amount {
  std::string model;
  Unit unit = Unit::gpu;
  std::int64_t units = 0;
};

std::vector<Amount> added_up(std::span<const PoolAmount> amounts) {
  std::vector<Amount> sums;
  for (const PoolAmount& amount : amounts) {
    const Unit unit = unit_of(*amount.pool);
    const std::string model = unit == Unit::gpu ? amount.pool->model : "";
    const auto at = std::find_if(sums.begin(), sums.end(), [&](const Amount& one) {
      return one.unit == unit && one.model == model;
    });
    if (at == sums.end())
      sums.push_back({.model = model, .unit = unit, .units = amount.units});
    else
      at->units = capped_sum(at->units, amount.units);
  }
  return sums;
}

std::string text_of(const Amount& amount) {
  if (!amount.model.empty()) return fmt::format("{} {}", amount.units, amount.model);
  std::string text = amount_text(amount.units, amount.unit);
  if (amount.unit == Unit::gpu) text += amount.units == 1 ? " GPU" : " GPUs";
  return text;
}

}  // namespace

std::string amounts_text(std::span<const PoolAmount> amounts) {
  const std::vector<Amount> sums = added_up(amounts);
  const std::size_t shown = sums.size() <= kMostAmounts ? sums.size() : kMostAmounts - 1;
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) text += (i == 0 ? "" : " + ") + text_of(sums[i]);
  if (shown < sums.size()) text += fmt::format(" + {} kinds", sums.size() - shown);
  return text;
}

}  // namespace gpu::usage
