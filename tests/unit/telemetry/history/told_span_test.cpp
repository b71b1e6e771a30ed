#include "telemetry/history/told_span.hpp"

#include <limits>

#include "telemetry/history/queries_of_past.hpp"
#include "telemetry/history/told.hpp"

namespace gpu::telemetry::history_told_span_test {
namespace {

using std::chrono::minutes;

Series edge(std::string_view name, double value, const std::string& cluster = {}) {
  Series one;
  one.value = value;
  one.labels.set(std::string(kEdge), std::string(name));
  if (!cluster.empty()) one.labels.set("cluster", cluster);
  return one;
}

double unix_time(std::int64_t seconds) { return static_cast<double>(kWeekAgo + seconds); }

ToldSpans spans_of(std::int64_t first, std::int64_t last, const std::string& cluster = {}) {
  ToldSpans spans;
  spans.add(edge(kFirstEdge, unix_time(first), cluster));
  spans.add(edge(kLastEdge, unix_time(last), cluster));
  return spans;
}

std::vector<Gap> gaps(std::int64_t first, std::int64_t last, std::int64_t until) {
  return gaps_in(spans_of(first, last).of(""), {at(0), at(until)}, minutes(45), "prom");
}

constexpr std::int64_t kHours = 3600;
constexpr std::int64_t kDays = 24 * kHours;

TEST_CASE("What is told of from end to end lacks nothing") {
  CHECK(gaps(0, 7 * kDays, 7 * kDays).empty());
  CHECK(gaps(40 * 60, 7 * kDays - 40 * 60, 7 * kDays).empty());
}

TEST_CASE("How much of the time is told of is rounded down, in the unit that people ask by") {
  const auto what = [](std::int64_t first, std::int64_t until) {
    const auto found = gaps(first, until, until);
    return found.size() == 1 ? found.front().what : "not one gap";
  };
  CHECK(what(4 * kDays, 7 * kDays) == "Prometheus has data since 2025-11-28 only (3 of 7 days)");
  CHECK(what(2 * kHours, 7 * kDays) == "Prometheus has data since 2025-11-24 only (6.9 of 7 days)");
  CHECK(what(18 * kHours, kDays) ==
        "Prometheus has data since 2025-11-25T10:00:00Z only (6 of 24 hours)");
  CHECK(what(50 * 60, kHours) ==
        "Prometheus has data since 2025-11-24T16:50:00Z only (10 of 60 minutes)");
}

TEST_CASE("A span of which an end is missing, or is no time, is not known") {
  ToldSpans half;
  half.add(edge(kFirstEdge, unix_time(0)));
  CHECK(gaps_in(half.of(""), {at(0), at(kDays)}, minutes(45), "prom").size() == 1);
  ToldSpans odd;
  for (const double value : {std::numeric_limits<double>::quiet_NaN(), -1.0, 0.0, 1e300,
                             std::numeric_limits<double>::infinity()})
    odd.add(edge(kFirstEdge, value));
  CHECK(odd.is_empty());
}

TEST_CASE("Each cluster has its own span; where it is not named, that of all counts") {
  ToldSpans spans = spans_of(0, 7 * kDays, "east");
  spans.add(edge(kFirstEdge, unix_time(5 * kDays), "west"));
  spans.add(edge(kLastEdge, unix_time(6 * kDays), "west"));
  CHECK(spans.of("east").first == at(0));
  CHECK(spans.of("west").first == at(5 * kDays));
  CHECK(spans.of("").first == at(5 * kDays));
  CHECK(spans.of("").last == at(6 * kDays));
  CHECK(spans.begins_after(at(-1)));
  CHECK_FALSE(spans.begins_after(at(0)));
  CHECK_FALSE(ToldSpans().begins_after(at(0)));
}

}  // namespace
}  // namespace gpu::telemetry::history_told_span_test
