#include "kube/http/retry.hpp"

#include <catch2/catch.hpp>

namespace http_retry_test {

using namespace std::chrono_literals;
using gpu::kube::asked_wait;
using gpu::kube::Clock;
using gpu::kube::RetryBudget;

TEST_CASE("what an answer asks us to wait") {
  CHECK(asked_wait(429, "7") == 7s);
  CHECK(asked_wait(429, "") == 1s);
  CHECK(asked_wait(429, "Sat, 28 Nov 2026 03:00:00 GMT") == 1s);
  CHECK(asked_wait(503, "2") == 2s);
  CHECK(asked_wait(503, "0") == 1s);
  CHECK(asked_wait(503, "-5") == 1s);
  CHECK_FALSE(asked_wait(503, ""));
  CHECK_FALSE(asked_wait(500, "soon"));
  CHECK_FALSE(asked_wait(503, "99999999999999999999"));
  CHECK(asked_wait(429, "99999999999999999999") > 24h);
  CHECK(asked_wait(429, "-99999999999999999999") == 1s);
  CHECK_FALSE(asked_wait(403, "1"));
  CHECK_FALSE(asked_wait(200, "1"));
}

TEST_CASE("a time that cannot be waited is doubled at each answer, one that can is kept") {
  for (const char* const odd : {"0", "-1", "", "soon", "-99999999999999999999"}) {
    CHECK(asked_wait(429, odd, 0) == 1s);
    CHECK(asked_wait(429, odd, 3) == 8s);
    CHECK(asked_wait(429, odd, 40) == 32s);
  }
  CHECK(asked_wait(429, "1", 40) == 1s);
  CHECK(asked_wait(503, "0", 2) == 4s);
}

TEST_CASE("a budget is spent once for waits that overlap") {
  RetryBudget budget(10s);
  const Clock::time_point start{};
  CHECK(budget.retry_at(429, "6", start, std::nullopt) == start + 6s);
  CHECK(budget.retry_at(429, "6", start + 1s, std::nullopt) == start + 7s);
  CHECK(budget.retry_at(429, "3", start + 2s, std::nullopt) == start + 5s);
  CHECK(budget.retry_at(429, "3", start + 20s, std::nullopt) == start + 23s);
  CHECK_FALSE(budget.retry_at(429, "1", start + 30s, std::nullopt));
}

TEST_CASE("a wait that is longer than the budget is not begun") {
  RetryBudget budget(10s);
  CHECK_FALSE(budget.retry_at(429, "3600", Clock::time_point{}, std::nullopt));
  CHECK(budget.retry_at(429, "10", Clock::time_point{}, std::nullopt));
}

TEST_CASE("a wait may not pass the deadline of the request") {
  RetryBudget budget(90s);
  const Clock::time_point now{};
  CHECK_FALSE(budget.retry_at(429, "2", now, now + 2s));
  CHECK(budget.retry_at(429, "2", now, now + 3s) == now + 2s);
}

}  // namespace http_retry_test
