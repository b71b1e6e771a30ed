#include "cost/forecast/money_range.hpp"

#include <catch2/catch.hpp>

namespace gpu::cost::forecast_money_range_test {

TEST_CASE("a range holds all that was put into it") {
  MoneyRange range;
  widen(range, Money{3});
  widen(range, Money{1});
  widen(range, Money{2});
  CHECK(range == MoneyRange{Money{1}, Money{3}});
}

TEST_CASE("a sum has the ends that both parts have") {
  const MoneyRange known{Money{1}, Money{3}};
  CHECK(known + known == MoneyRange{Money{2}, Money{6}});
  CHECK(known + MoneyRange{Money{1}, std::nullopt} == MoneyRange{Money{2}, std::nullopt});
  CHECK(known + MoneyRange{} == MoneyRange{});
  CHECK(times(known, 3) == MoneyRange{Money{3}, Money{9}});
  CHECK(times(MoneyRange{}, 0) == kNoMoney);
  CHECK(total_over(known, std::chrono::hours(2)) == MoneyRange{Money{2}, Money{6}});
}

}  // namespace gpu::cost::forecast_money_range_test
