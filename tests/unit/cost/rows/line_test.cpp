#include "cost/rows/line.hpp"

#include <catch2/catch.hpp>

#include "cost/ledger/make_ledger.hpp"

namespace gpu::cost::rows_line_test {
namespace {

using std::chrono::hours;

Time at(int hour) { return Time{hours(100'000 + hour)}; }

/// Of node "a", bound at `since`, and over at `until` if that is given.
Pod bound(int since, std::optional<int> until = {}) {
  Pod pod = make::pod("p", "a", 1);
  pod.conditions.push_back(
      {.type = "PodScheduled", .status = "True", .last_transition = at(since)});
  if (!until) return pod;
  pod.phase = "Succeeded";
  pod.container_statuses.push_back({.name = "main", .terminated = "Completed"});
  pod.container_statuses.back().started_at = at(since);
  pod.container_statuses.back().terminated_at = at(*until);
  return pod;
}

/// The line of `pod` at hour 20, on a V100 at 3.06 $ an hour whose node was created at `created`.
CostLine line_of(const Pod& pod, int created) {
  Node node = make::of_type(make::node("a", 1), "p3.2xlarge");
  node.created = at(created);
  static std::optional<make::Priced> priced;
  priced.emplace(make::snapshot({node}, {pod}));
  const auto lines = cost_lines(priced->ledger, priced->snapshot, at(20));
  REQUIRE(lines.size() == 1);
  return lines.front();
}

TEST_CASE("A pod is held from the creation of its node on") {
  const CostLine line = line_of(bound(2), 15);
  CHECK(line.is_since_node);
  CHECK(line.held_for == hours(5));
  CHECK(line.total == Money{15'300'000'000});
  CHECK_FALSE(line_of(bound(15), 15).is_since_node);
}

TEST_CASE("A pod that was over before its node was created is priced as that") {
  const CostLine line = line_of(bound(2, 4), 15);
  CHECK(line.was_on_earlier_node);
  CHECK_FALSE(line.is_since_node);
  CHECK(line.total == Money{6'120'000'000});
}

TEST_CASE("Of times in the future no cost is known") {
  for (const Pod& pod : {bound(21), bound(2, 21), bound(60'000'000)}) {
    const CostLine line = line_of(pod, 0);
    CHECK(line.has_odd_times);
    CHECK_FALSE(line.total);
    CHECK_FALSE(line.card_hours);
    CHECK_FALSE(line.held_for);
  }
}

}  // namespace
}  // namespace gpu::cost::rows_line_test
