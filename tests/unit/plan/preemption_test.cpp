#include "plan/preemption.hpp"

#include <catch2/catch.hpp>

#include "plan/explain_planned.hpp"
#include "scheduler/cycle/judge_make.hpp"

namespace plan_preemption_test {

using Catch::Contains;
using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::plan;
using namespace gpu::scheduler;

namespace {

Pod of_priority(Pod pod, std::int32_t priority) {
  pod.priority = priority;
  return pod;
}

Pod planned(std::int64_t gpus, std::int32_t priority) {
  Pod pod = of_priority(make::waiting("p", gpus), priority);
  pod.containers[0].limits = pod.containers[0].requests;
  return pod;
}

std::vector<std::string> victims(const Snapshot& snapshot, const Pod& pod) {
  const Cluster cluster(snapshot);
  const auto room = room_by_preemption(cluster, pod, judge(cluster, pod));
  std::vector<std::string> names;
  if (room)
    for (const Pod* victim : room->victims) names.push_back(victim->name);
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("as few are stopped as make room, of the lowest priority") {
  const Snapshot snapshot = make::cluster({make::node("a", 8), make::node("b", 8)},
                                          {of_priority(make::running("low", "a", {}, 4), 1),
                                           of_priority(make::running("lower", "a", {}, 4), 0),
                                           of_priority(make::running("middle", "b", {}, 8), 5)});
  CHECK(victims(snapshot, planned(2, 10)) == Names{"lower"});
  CHECK(victims(snapshot, planned(8, 10)) == Names{"low", "lower"});
  CHECK(victims(snapshot, planned(8, 2)) == Names{"low", "lower"});
  CHECK(victims(snapshot, planned(8, 1)).empty());
  Pod never = planned(2, 10);
  never.preemption_policy = "Never";
  CHECK(victims(snapshot, never).empty());
}

TEST_CASE("a pod that starts by preemption is not blocked, and names whom it stops") {
  const Snapshot snapshot =
      make::cluster({make::node("a", 8)}, {of_priority(make::running("low", "a", {}, 8), 0)});
  const Cluster cluster(snapshot);
  ExplainOptions options;
  options.manifest = "p.yaml";
  const Explanation answer = explain_planned(cluster, planned(8, 10), options);
  CHECK_FALSE(answer.is_blocked);
  CHECK(answer.code == Code::starting);
  CHECK_THAT(answer.summary, Contains("the scheduler makes room on a by preemption, which stops "
                                      "ml/low (priority 0)"));
  CHECK(answer.fixes.empty());
  CHECK(explain_planned(cluster, planned(8, 0), options).is_blocked);
}

TEST_CASE("of many names some are told") {
  CHECK(names_of({}).empty());
  CHECK(names_of({"a"}) == "a");
  CHECK(names_of({"a", "b"}) == "a and b");
  CHECK(names_of({"a", "b", "c", "d"}) == "a, b, c and d");
  CHECK(names_of({"a", "b", "c", "d", "e"}) == "a, b, c, d and 1 more");
  CHECK(names_of({"a", "b", "c", "d", "e", "f"}) == "a, b, c, d and 2 more");
}

TEST_CASE("the node is taken where the highest priority is lowest, then the sum, then the number") {
  const auto taken = [](const std::vector<Pod>& pods, std::int64_t gpus) {
    return victims(make::cluster({make::node("a", 8), make::node("b", 8)}, pods),
                   planned(gpus, 100));
  };
  const auto holder = [](const char* name, const char* node, std::int64_t gpus,
                         std::int32_t priority) {
    return of_priority(make::running(name, node, {}, gpus), priority);
  };
  CHECK(taken({holder("a1", "a", 8, 7), holder("b1", "b", 4, 6), holder("b2", "b", 4, 6)}, 8) ==
        Names{"b1", "b2"});
  CHECK(taken({holder("a1", "a", 4, 6), holder("a2", "a", 4, 5), holder("b1", "b", 4, 6),
               holder("b2", "b", 4, 4)},
              8) == Names{"b1", "b2"});
  CHECK(taken({holder("a1", "a", 4, 6), holder("a2", "a", 4, -6), holder("b1", "b", 8, 6)}, 8) ==
        Names{"b1"});
}

TEST_CASE("of nodes that cost the same the one is taken whose pods started last") {
  const auto holder = [](const char* name, const char* node, int started, std::int32_t priority) {
    Pod made = of_priority(make::running(name, node, {}, 4), priority);
    made.started = Time{std::chrono::seconds{started}};
    return made;
  };
  const auto taken = [](const std::vector<Pod>& pods) {
    return victims(make::cluster({make::node("a", 8), make::node("b", 8)}, pods), planned(8, 100));
  };
  // Only the start of those with the highest priority counts.
  CHECK(taken({holder("a1", "a", 10, 6), holder("a2", "a", 99, 5), holder("b1", "b", 20, 6),
               holder("b2", "b", 1, 5)}) == Names{"b1", "b2"});
  CHECK(taken({holder("a1", "a", 30, 6), holder("a2", "a", 31, 6), holder("b1", "b", 20, 6),
               holder("b2", "b", 50, 6)}) == Names{"a1", "a2"});
}

TEST_CASE("of pods of one priority those that started last are stopped") {
  const auto holder = [](const char* name, int started) {
    Pod made = of_priority(make::running(name, "a", {}, 4), 1);
    made.started = Time{std::chrono::seconds{started}};
    return made;
  };
  CHECK(victims(make::cluster({make::node("a", 8)}, {holder("old", 1), holder("young", 2)}),
                planned(4, 10)) == Names{"young"});
  CHECK(victims(make::cluster({make::node("a", 8)}, {holder("young", 2), holder("old", 1)}),
                planned(4, 10)) == Names{"young"});
}

}  // namespace plan_preemption_test
