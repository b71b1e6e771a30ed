#include "base/money.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <numeric>

namespace gpu::base_money_test {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

std::int64_t nano(std::string_view text) { return parse_money(text).value_or(Money{-1}).nano; }

std::int64_t sum_of(const std::vector<Money>& shares) {
  return std::accumulate(shares.begin(), shares.end(), std::int64_t{0},
                         [](std::int64_t sum, Money each) { return sum + each.nano; });
}

}  // namespace

TEST_CASE("money is read exactly, to a billionth") {
  CHECK(nano("21.957642") == 21'957'642'000);
  CHECK(nano("0.5") == 500'000'000);
  CHECK(nano("12") == 12'000'000'000);
  CHECK(nano("0") == 0);
  CHECK(nano("0.0000000019") == 1);  // what is finer is cut off
  CHECK(nano("99999999999999999999999") == kMost);
  for (const char* const wrong :
       {"", ".", "1.", ".5", "-1", "+1", "1e3", "1,5", " 1", "1 ", "$1", "0x1", "1.2.3", "NaN"}) {
    CAPTURE(wrong);
    CHECK_FALSE(parse_money(wrong));
  }
}

TEST_CASE("a share is rounded to the nearest billionth, halves away from zero") {
  CHECK(share_of({10}, 1, 3).nano == 3);
  CHECK(share_of({11}, 1, 2).nano == 6);
  CHECK(share_of({-11}, 1, 2).nano == -6);
  CHECK(share_of({20}, 2, 3).nano == 13);
  CHECK(share_of({kMost}, 3, 2).nano == kMost);
  CHECK(share_of({21'957'642'000}, 1, 56).nano == 392'100'750);  // a 1g slice of a p4d.24xlarge
  CHECK(share_of({526'000'000}, 1, 4).nano == 131'500'000);      // a quarter of a T4
}

TEST_CASE("a rate over time") {
  CHECK(total_over({6'880'000'000}, std::chrono::hours(1)).nano == 6'880'000'000);
  CHECK(total_over({6'880'000'000}, std::chrono::minutes(30)).nano == 3'440'000'000);
  CHECK(total_over({6'880'000'000}, std::chrono::seconds(-1)).nano == 0);
}

TEST_CASE("shares add up to the whole, and the largest remainders get what is left") {
  const std::vector<std::int64_t> thirds = {1, 1, 1};
  CHECK(split({100}, thirds) == std::vector<Money>{{34}, {33}, {33}});
  const std::vector<std::int64_t> uneven = {1, 7};
  CHECK(split({55'040'000'000}, uneven) == std::vector<Money>{{6'880'000'000}, {48'160'000'000}});
  const std::vector<std::int64_t> none = {0, 0};
  CHECK(split({100}, none) == std::vector<Money>{{0}, {0}});
  CHECK(split({100}, {}).empty());
  const std::vector<std::int64_t> with_zero = {0, 3, 4};
  for (std::int64_t amount = 0; amount < 200; ++amount) {
    const std::vector<Money> shares = split({amount}, with_zero);
    CHECK(sum_of(shares) == amount);
    CHECK(shares[0].nano == 0);
  }
  const std::vector<std::int64_t> large = {kMost / 3, kMost / 3, 1};
  CHECK(sum_of(split({kMost}, large)) == kMost);
}

TEST_CASE("sums of money stop at the ends of 64 bits") {
  CHECK((Money{kMost} + Money{1}).nano == kMost);
  CHECK((Money{-kMost} - Money{2}).nano < -kMost + 1);
}

TEST_CASE("a sum that did not fit is not known, whatever is done with it") {
  const Money capped = Money{kMost - 1} + Money{2};
  CHECK(capped.is_capped());
  CHECK((capped - Money{7}).is_capped());
  CHECK((Money{7} - capped).is_capped());
  CHECK((Money{-7} + capped).is_capped());
  CHECK(share_of(capped, 1, 2).is_capped());
  CHECK(total_over(capped, std::chrono::seconds(1)).is_capped());
  CHECK(Money{std::numeric_limits<std::int64_t>::min()}.is_capped());
  CHECK_FALSE(Money{kMost - 1}.is_capped());
  CHECK_FALSE((Money{-kMost + 1}).is_capped());
}

}  // namespace gpu::base_money_test
