#include "plan/placement.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace plan_placement_test {

using Catch::Contains;
using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::plan;

namespace {

/// Quotas and LimitRanges were read, and there are none: nothing is in doubt but webhooks.
Snapshot read_whole(std::vector<Node> nodes, const std::vector<Pod>& pods = {}) {
  Snapshot snapshot = make::cluster(std::move(nodes), pods);
  for (const char* kind : {"resourcequotas", "limitranges", "priorityclasses"})
    snapshot.scheduling.coverages[kind] = Coverage::whole;
  return snapshot;
}

PlannedPod planned(std::int64_t count, std::int64_t gpus) {
  Pod pod = make::waiting("train", gpus);
  pod.containers[0].limits = pod.containers[0].requests;
  return {.pod = std::move(pod), .count = count, .file = "x.yaml"};
}

}  // namespace

TEST_CASE("replicas fill the fullest node on which they fit") {
  const Snapshot snapshot = read_whole({make::node("a", 8), make::node("b", 4)});
  const scheduler::Cluster cluster(snapshot);
  PodPlacement placement(cluster, {});
  const Explanation three = placement.answer(planned(3, 4));
  CHECK_FALSE(three.is_blocked);
  CHECK(three.summary == "all 3 pods would start: the first fits on a and b");
  CHECK(placement.started() == 3);
  const Explanation next = placement.answer(planned(1, 1));
  CHECK(next.is_blocked);
  CHECK(placement.started() == 0);
  REQUIRE_FALSE(next.remarks.empty());
  CHECK_THAT(next.remarks.back().text,
             Contains("this assumes that the earlier pods have started where the scheduler's "
                      "scores place them"));
}

TEST_CASE("small pods leave the emptiest node to large ones") {
  const Snapshot snapshot = read_whole({make::node("a", 8), make::node("b", 4)});
  const scheduler::Cluster cluster(snapshot);
  PodPlacement placement(cluster, {});
  CHECK_FALSE(placement.answer(planned(1, 1)).is_blocked);
  CHECK_FALSE(placement.answer(planned(1, 8)).is_blocked);
}

TEST_CASE("the first replica that finds no room is named") {
  const Snapshot snapshot = read_whole({make::node("a", 8)});
  const scheduler::Cluster cluster(snapshot);
  PodPlacement placement(cluster, {});
  const Explanation some = placement.answer(planned(5, 4));
  CHECK(some.is_blocked);
  CHECK(some.code == Code::insufficient_gpus);
  CHECK_THAT(some.summary, Catch::StartsWith("2 of 5 pods would start; the third: "));
  CHECK(placement.started() == 2);
}

TEST_CASE("where none of several starts, all are named") {
  const Snapshot snapshot = read_whole({make::node("a", 2)});
  const scheduler::Cluster cluster(snapshot);
  PodPlacement placement(cluster, {});
  const Explanation none = placement.answer(planned(2, 4));
  CHECK(none.is_blocked);
  CHECK_THAT(none.summary, Catch::StartsWith("none of 2 pods would start: "));
}

TEST_CASE("two pods are both pods") {
  const Snapshot snapshot = read_whole({make::node("a", 8)});
  const scheduler::Cluster cluster(snapshot);
  CHECK(PodPlacement(cluster, {}).answer(planned(2, 4)).summary ==
        "both pods would start: the first fits on a");
}

TEST_CASE("no more than 64 of one template are tried") {
  const Snapshot snapshot = read_whole({make::node("a", 100)});
  const scheduler::Cluster cluster(snapshot);
  PodPlacement placement(cluster, {});
  const Explanation many = placement.answer(planned(66, 1));
  CHECK(many.code == Code::not_modelled);
  CHECK(many.summary ==
        "the first 64 of 66 pods would start; whether the others do is not checked");
  CHECK(placement.started() == 64);
  const Explanation later = placement.answer(planned(1, 1));
  CHECK_FALSE(later.is_blocked);
  CHECK(later.summary == "it would start, as far as could be checked: it fits on a");
}

TEST_CASE("what starts without a place is in doubt for those after it") {
  const Snapshot snapshot = read_whole({make::node("a", 8)});
  const scheduler::Cluster cluster(snapshot);
  PodPlacement placement(cluster, {});
  placement.leave_out();
  const Explanation both = placement.answer(planned(2, 4));
  CHECK(both.summary == "both pods would start, as far as could be checked: the first fits on a");
  CHECK_THAT(both.not_checked.back(), Contains("what pods before it take that were not tried"));
}

TEST_CASE("what started since a mark is taken back") {
  const Snapshot snapshot = read_whole({make::node("a", 8)});
  const scheduler::Cluster cluster(snapshot);
  PodPlacement placement(cluster, {});
  const PodPlacement::Mark before = placement.mark();
  CHECK_FALSE(placement.answer(planned(1, 8)).is_blocked);
  CHECK(placement.answer(planned(1, 8)).is_blocked);
  placement.back_to(before);
  CHECK_FALSE(placement.answer(planned(1, 8)).is_blocked);
}

TEST_CASE("room that the scheduler makes by preemption lets replicas start") {
  Pod low = make::running("low", "a", {}, 4);
  low.priority = -1;
  const Snapshot snapshot = read_whole({make::node("a", 8)}, {low});
  const scheduler::Cluster cluster(snapshot);
  PlannedPod both = planned(2, 4);
  both.pod.priority = 0;
  const Explanation answer = PodPlacement(cluster, {}).answer(both);
  CHECK_FALSE(answer.is_blocked);
  CHECK(answer.summary ==
        "both pods would start: the scheduler makes room by preemption, which stops ml/low");
  REQUIRE(answer.remarks.size() == 1);
  CHECK_THAT(answer.remarks[0].text, Contains("it may stop others that cost as little"));
}

}  // namespace plan_placement_test
