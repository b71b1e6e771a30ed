#include "plan/moves/room.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace moves_room_test {

using namespace gpu;
using namespace gpu::plan;

namespace {

Pod owned(std::string name, std::string node, std::int64_t gpus, std::string kind = "ReplicaSet") {
  Pod pod = make::pod(name, std::move(node), gpus);
  pod.uid = "uid-" + name;
  pod.owners = {{.kind = std::move(kind),
                 .name = "of-" + name,
                 .uid = "o-" + name,
                 .api_version = "apps/v1",
                 .controller = true}};
  return pod;
}

Pod wanting(std::int64_t gpus) {
  Pod pod = make::waiting("room", gpus);
  for (Container& each : pod.containers) each.limits = each.requests;
  pod.uid = "room";
  return pod;
}

RoomAnswer asked(Snapshot snapshot, const Pod& pod) {
  snapshot.pods.push_back(pod);
  std::sort(snapshot.pods.begin(), snapshot.pods.end(), [](const Pod& a, const Pod& b) {
    return std::tie(a.ns, a.name) < std::tie(b.ns, b.name);
  });
  return make_room(snapshot, pod);
}

std::vector<std::string> moved(const RoomAnswer& answer) {
  std::vector<std::string> names;
  if (answer.plan)
    for (const Move& move : answer.plan->moves) names.push_back(move.name);
  return names;
}

std::int64_t staying(const RoomAnswer& answer, Stays why) {
  for (const auto& [stays, pods] : answer.staying)
    if (stays == why) return pods;
  return 0;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("nothing moves where a node has room") {
  const RoomAnswer answer = asked(
      make::cluster({make::node("a", 4), make::node("b", 8)}, {owned("x", "b", 2)}), wanting(6));
  CHECK(answer.free_now == Names{"b"});
  CHECK_FALSE(answer.plan);
}

TEST_CASE("the fewest pods move, to where the scheduler sends them") {
  const RoomAnswer answer =
      asked(make::cluster({make::node("a", 4), make::node("b", 4)},
                          {owned("x", "a", 1), owned("y", "b", 1), owned("z", "b", 1)}),
            wanting(4));
  REQUIRE(answer.plan);
  CHECK(answer.plan->node == "a");
  CHECK(moved(answer) == Names{"x"});
  CHECK(answer.plan->moves[0].to == Names{"b"});
  CHECK(answer.plan->moves[0].owner.name == "of-x");
  CHECK(answer.plan->needs_cordon);
}

TEST_CASE("of as many pods the lowest priority moves, then the youngest") {
  Pod high = owned("high", "a", 1);
  high.priority = 5;
  Pod old = owned("old", "b", 1);
  old.started = Time{std::chrono::seconds(10)};
  Pod young = owned("young", "c", 1);
  young.started = Time{std::chrono::seconds(20)};
  Pod pod = wanting(4);
  pod.priority = 9;
  // Preemption is the scheduler's own way: the pod itself never does it here.
  const RoomAnswer answer =
      asked(make::cluster({make::node("a", 4), make::node("b", 4), make::node("c", 4)},
                          {high, old, young}),
            pod);
  CHECK(moved(answer) == Names{"young"});
}

TEST_CASE("pods stay that nobody creates again, or that may not be moved") {
  const auto why = [](Pod pod, std::vector<DisruptionBudget> budgets = {}) {
    Snapshot snapshot = make::cluster({make::node("a", 4), make::node("b", 4)},
                                      {std::move(pod), make::pod("big", "b", 3)});
    snapshot.scheduling.disruption_budgets = std::move(budgets);
    Pod room = wanting(4);
    return asked(std::move(snapshot), room);
  };
  Pod alone = owned("x", "a", 1);
  alone.owners.clear();
  CHECK(staying(why(alone), Stays::no_controller) == 2);
  CHECK_FALSE(why(alone).plan);
  Pod important = owned("x", "a", 1);
  important.priority = 1;
  CHECK(staying(why(important), Stays::higher_priority) == 1);
  CHECK(staying(why(owned("x", "a", 1, "MPIJob")), Stays::unknown_controller) == 1);
  CHECK(staying(why(owned("x", "a", 1, "Job")), Stays::no_retries) == 1);
  Pod guarded = owned("x", "a", 1);
  guarded.labels = {{"app", "x"}};
  DisruptionBudget budget{.ns = guarded.ns, .name = "b", .selector = ObjectSelector{}};
  CHECK(staying(why(guarded, {budget}), Stays::budget) == 1);
  budget.disruptions_allowed = 1;
  const RoomAnswer allowed = why(guarded, {budget});
  REQUIRE(allowed.plan);
  CHECK(allowed.plan->moves[0].budget == "b");
}

TEST_CASE("a pod that fits nowhere else stays") {
  Pod tied = owned("x", "a", 1);
  tied.node_selector = {{"only", "a"}};
  Node a = make::node("a", 4);
  a.labels = {{"only", "a"}};
  const RoomAnswer answer =
      asked(make::cluster({a, make::node("b", 4)}, {tied, make::pod("y", "b", 3)}), wanting(4));
  CHECK_FALSE(answer.plan);
  CHECK(staying(answer, Stays::fits_nowhere_else) == 1);
}

TEST_CASE("no node that could hold it is said") {
  const RoomAnswer answer =
      asked(make::cluster({make::node("a", 4)}, {owned("x", "a", 1)}), wanting(8));
  CHECK(answer.candidates == 0);
  CHECK_FALSE(answer.plan);
}

TEST_CASE("a pod that waits and may take the room is named") {
  Pod rival = make::waiting("rival", 3);
  rival.uid = "rival";
  const RoomAnswer answer = asked(make::cluster({make::node("a", 4), make::node("b", 4)},
                                                {owned("x", "a", 2), owned("y", "b", 2), rival}),
                                  wanting(4));
  REQUIRE(answer.plan);
  CHECK(answer.plan->rivals == Names{"ml/rival"});
  CHECK(answer.plan->needs_cordon);
}

TEST_CASE("pods stay that must not be evicted, or whose group would start over") {
  Pod safe = owned("safe", "a", 1);
  safe.annotations.set("cluster-autoscaler.kubernetes.io/safe-to-evict", "false");
  Pod kept = owned("kept", "b", 1);
  kept.annotations.set("karpenter.sh/do-not-disrupt", "true");
  Pod leader = owned("leader", "c", 1, "StatefulSet");
  leader.labels.set("leaderworkerset.sigs.k8s.io/name", "chat");
  const RoomAnswer answer =
      asked(make::cluster({make::node("a", 4), make::node("b", 4), make::node("c", 4)},
                          {safe, kept, leader}),
            wanting(4));
  CHECK_FALSE(answer.plan);
  CHECK(staying(answer, Stays::annotation) == 2);
  CHECK(staying(answer, Stays::group) == 1);
}

TEST_CASE("a pod stays whose volume is a disk of its node, and one with a hostPath moves last") {
  Pod bound = owned("bound", "a", 1);
  bound.volumes = {{.name = "data", .claim = "data"}};
  Pod folder = owned("folder", "b", 1);
  folder.has_host_path = true;
  Snapshot snapshot = make::cluster({make::node("a", 4), make::node("b", 4)}, {bound, folder});
  PersistentVolume volume{.name = "pv", .claim_ns = "ml", .claim_name = "data"};
  volume.legacy_driver = "local";
  snapshot.scheduling.volumes = {volume};
  const RoomAnswer answer = asked(snapshot, wanting(4));
  REQUIRE(answer.plan);
  CHECK(moved(answer) == Names{"folder"});
  CHECK(answer.plan->moves[0].leaves_host_path);
  Pod plain = owned("plain", "a", 1);
  plain.started = Time{};
  CHECK(moved(asked(make::cluster({make::node("a", 4), make::node("b", 4)}, {plain, folder}),
                    wanting(4))) == Names{"plain"});
}

}  // namespace moves_room_test
