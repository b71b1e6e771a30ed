#include "plan/preemption.hpp"

#include <catch2/catch.hpp>

#include "plan/explain_planned.hpp"
#include "scheduler/cycle/judge_make.hpp"

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
  CHECK(names_of({"a", "b"}) == "a and b");
  CHECK(names_of({"a", "b", "c", "d", "e", "f"}) == "a, b, c, d and 2 more");
}
