#include "admission/kueue/quota_tree.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "scheduler/cycle/judge_make.hpp"

namespace kueue_quota_tree_test {

using namespace gpu;
using namespace gpu::admission;
using namespace gpu::scheduler;

namespace {

constexpr const char* kGpu = "nvidia.com/gpu";

struct Limits {
  std::optional<std::int64_t> borrowing;
  std::optional<std::int64_t> lending;
};

FlavorQuota quota(std::int64_t nominal, std::optional<std::int64_t> reserved, Limits limits = {}) {
  FlavorQuota made{.flavor = "h100", .resource = kGpu, .nominal = Quantity::of(nominal)};
  if (reserved) made.reserved = Quantity::of(*reserved);
  if (limits.borrowing) made.borrowing_limit = Quantity::of(*limits.borrowing);
  if (limits.lending) made.lending_limit = Quantity::of(*limits.lending);
  return made;
}

ClusterQueue queue(std::string name, std::string cohort, FlavorQuota quota) {
  return {.name = std::move(name), .cohort = std::move(cohort), .quotas = {std::move(quota)}};
}

Cohort cohort(std::string name, std::string parent, std::vector<FlavorQuota> quotas = {}) {
  return {.name = std::move(name), .parent = std::move(parent), .quotas = std::move(quotas)};
}

struct Room {
  std::int64_t most;
  std::int64_t free;
  friend bool operator==(const Room&, const Room&) = default;
};

Snapshot snapshot_with(const SchedulingFacts& facts) {
  Snapshot snapshot = make::cluster({});
  snapshot.scheduling = facts;
  return snapshot;
}

/// Queues and cohorts, seen from the first queue.
struct Forest {
  explicit Forest(const SchedulingFacts& facts) : snapshot(snapshot_with(facts)) {}
  [[nodiscard]] const ClusterQueue& first() const {
    return snapshot.scheduling.cluster_queues.front();
  }
  [[nodiscard]] const FlavorQuota& quota() const { return first().quotas.front(); }
  [[nodiscard]] QuotaRoom room(const QueueTaken& before = {}) const {
    return QuotaTree(tree, before).room(first(), quota());
  }
  [[nodiscard]] std::int64_t before_in_tree(const QueueTaken& before) const {
    return QuotaTree(tree, before).before_in_tree(first(), quota());
  }

  Snapshot snapshot;
  Cluster cluster{snapshot};
  CohortTree tree{cluster};
};

Room room(const SchedulingFacts& facts, const QueueTaken& before = {}) {
  const QuotaRoom found = Forest(facts).room(before);
  return {found.most, found.free.value_or(-1)};
}

}  // namespace

TEST_CASE("a queue alone has what is its own") {
  SchedulingFacts facts;
  facts.cluster_queues = {queue("a", "", quota(8, 3))};
  CHECK(room(facts) == Room{8, 5});
  CHECK(room(facts, {{{"a", "h100", kGpu}, 2}}) == Room{8, 3});
  // Of another tree, with quota of the same flavor.
  facts.cluster_queues.push_back(queue("b", "", quota(8, 0)));
  CHECK(room(facts) == Room{8, 5});
}

TEST_CASE("what is kept from lending is its own queue's") {
  SchedulingFacts facts;
  facts.cluster_queues = {queue("a", "all", quota(4, 4)),
                          queue("b", "all", quota(8, 0, {.lending = 3}))};
  CHECK(room(facts) == Room{7, 3});
  // What b uses of what it keeps takes nothing from others.
  facts.cluster_queues[1].quotas[0].reserved = Quantity::of(5);
  CHECK(room(facts) == Room{7, 3});
  facts.cluster_queues[1].quotas[0].reserved = Quantity::of(7);
  CHECK(room(facts) == Room{7, 1});
  facts.cluster_queues[0].quotas[0].reserved = Quantity::of(7);
  CHECK(room(facts) == Room{7, -2});
}

TEST_CASE("a queue that keeps some has it beside what its cohort has") {
  SchedulingFacts facts;
  facts.cluster_queues = {queue("a", "all", quota(8, 2, {.lending = 3})),
                          queue("b", "all", quota(4, 6))};
  // 5 are kept, of which 2 are used; of the 7 that are lent, b uses 6.
  CHECK(room(facts) == Room{12, 4});
  facts.cluster_queues[0].quotas[0].borrowing_limit = Quantity::of(0);
  CHECK(room(facts) == Room{8, 4});
}

TEST_CASE("cohorts have quota of their own, and parents") {
  SchedulingFacts facts;
  facts.cluster_queues = {queue("a", "team", quota(2, 2)), queue("b", "other", quota(6, 1))};
  facts.cohorts = {cohort("org", "", {quota(10, {})}),
                   cohort("other", "org", {quota(0, {}, {.lending = 4})}),
                   cohort("team", "org", {quota(1, {}, {.borrowing = 5})})};
  // The team's 3, of which 2 are used, and 5 of org's.
  CHECK(room(facts) == Room{8, 6});
  facts.cohorts[2].quotas[0].borrowing_limit.reset();
  // org has its 10, the team's 3, and 4 of the other's 6.
  CHECK(room(facts) == Room{17, 15});
  // A parent that is only a name.
  facts.cohorts.erase(facts.cohorts.begin());
  CHECK(room(facts) == Room{7, 5});
}

TEST_CASE("what is reserved and not known makes what is free unknown, in its tree only") {
  SchedulingFacts facts;
  facts.cluster_queues = {queue("a", "all", quota(4, 0)), queue("b", "all", quota(8, {}))};
  CHECK_FALSE(Forest(facts).room().free);
  facts.cluster_queues[1].cohort = "others";
  CHECK(room(facts) == Room{4, 4});
}

TEST_CASE("cohorts in a circle end, and nothing is known of them") {
  SchedulingFacts facts;
  facts.cluster_queues = {queue("a", "x", quota(4, 0))};
  facts.cohorts = {cohort("x", "y"), cohort("y", "x")};
  const Forest circle(facts);
  CHECK(circle.tree.is_circle(circle.first()));
  CHECK_FALSE(circle.room().free);
  CHECK(circle.before_in_tree({{{"a", "h100", kGpu}, 2}}) == 2);
  facts.cohorts[1].parent = "y";
  CHECK(Forest(facts).tree.is_circle(facts.cluster_queues[0]));
  facts.cohorts[1].parent.clear();
  CHECK_FALSE(Forest(facts).tree.is_circle(facts.cluster_queues[0]));
}

TEST_CASE("cohorts may stand in a long row, and quotas be as large as numbers are") {
  constexpr std::size_t kMany = 5000;
  SchedulingFacts facts;
  facts.cluster_queues = {queue("a", "c0", quota(4, 1))};
  for (std::size_t i = 0; i < kMany; ++i)
    facts.cohorts.push_back(cohort("c" + std::to_string(i), "c" + std::to_string(i + 1)));
  CHECK(room(facts) == Room{4, 3});
  constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max() - 2;
  facts.cohorts = {cohort("c0", "", {quota(-kHuge, {}, {.borrowing = kHuge, .lending = -kHuge})})};
  facts.cluster_queues = {queue("a", "c0", quota(4, kHuge, {.borrowing = kHuge})),
                          queue("b", "c0", quota(kHuge, kHuge, {.lending = 0}))};
  CHECK(Forest(facts).room().free.value_or(0) < 0);
}

TEST_CASE("what is planned in other queues of the tree is told") {
  SchedulingFacts facts;
  facts.cluster_queues = {queue("a", "team", quota(4, 0)), queue("b", "org", quota(8, 0)),
                          queue("c", "far", quota(8, 0))};
  facts.cohorts = {cohort("team", "org")};
  const QueueTaken before = {
      {{"a", "h100", kGpu}, 1}, {{"b", "h100", kGpu}, 2}, {{"c", "h100", kGpu}, 4}};
  const Forest forest(facts);
  CHECK(QuotaTree(forest.tree, before).before(forest.first(), forest.quota()) == 1);
  CHECK(forest.before_in_tree(before) == 3);
  CHECK(forest.room(before).own_free == 3);
}

}  // namespace kueue_quota_tree_test
