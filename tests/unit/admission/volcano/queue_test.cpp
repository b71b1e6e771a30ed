#include "admission/volcano/queue.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace volcano_queue_test {

using Catch::Contains;
using namespace gpu;
using namespace gpu::admission;

namespace {

VolcanoQueue queue(std::string name, std::optional<std::int64_t> most, std::int64_t allocated,
                   std::string parent = "") {
  VolcanoQueue made{.name = std::move(name), .parent = std::move(parent), .state = "Open"};
  if (most) made.capability.set("nvidia.com/gpu", Quantity::of(*most));
  made.allocated.emplace();
  made.allocated->set("nvidia.com/gpu", Quantity::of(allocated));
  return made;
}

Snapshot with(std::vector<VolcanoQueue> queues, const std::vector<Pod>& pods = {}) {
  Snapshot snapshot = make::cluster({make::node("a", 8)}, pods);
  for (const char* kind : {"queues.scheduling.volcano.sh", "podgroups.scheduling.volcano.sh"})
    snapshot.scheduling.coverages[kind] = Coverage::whole;
  snapshot.scheduling.volcano_queues = std::move(queues);
  return snapshot;
}

Pod of_queue(std::string name, std::int64_t gpus) {
  Pod pod = make::waiting("p", gpus);
  pod.scheduler_name = "volcano";
  if (!name.empty()) pod.annotations.set("volcano.sh/queue-name", name);
  return pod;
}

VolcanoAnswer answer_for(const Snapshot& snapshot, const Pod& pod) {
  const scheduler::Cluster cluster(snapshot);
  const auto answer = volcano_answer(cluster, pod);
  REQUIRE(answer);
  return *answer;
}

}  // namespace

TEST_CASE("no Queue of Volcano is asked for pods of others") {
  const Snapshot snapshot = with({});
  CHECK_FALSE(volcano_answer(scheduler::Cluster(snapshot), make::waiting("p", 1)));
}

TEST_CASE("a Queue holds what goes beyond its capability, and that of those above it") {
  const Snapshot snapshot = with({queue("a", 4, 3, "top"), queue("b", std::nullopt, 0, "top"),
                                  queue("root", std::nullopt, 0), queue("top", 5, 5)});
  const VolcanoAnswer full = answer_for(snapshot, of_queue("a", 2));
  REQUIRE(full.hold);
  CHECK(full.hold->summary ==
        "the pod requests 2 nvidia.com/gpu, and Volcano's Queue a has 1 left of its capability "
        "of 4");
  const VolcanoAnswer above = answer_for(snapshot, of_queue("b", 1));
  REQUIRE(above.hold);
  CHECK_THAT(above.hold->summary, Contains("Queue top has none left"));
  CHECK_FALSE(answer_for(with({queue("a", 4, 3)}), of_queue("a", 1)).hold);
}

TEST_CASE("groups that are let in and have no pods yet count") {
  Snapshot snapshot = with({queue("a", 4, 0)});
  VolcanoPodGroup group{.ns = "ml", .name = "g", .queue = "a", .phase = "Inqueue"};
  group.min_resources.set("nvidia.com/gpu", Quantity::of(3));
  snapshot.scheduling.volcano_pod_groups = {group};
  CHECK(answer_for(snapshot, of_queue("a", 2)).hold);
  CHECK_FALSE(answer_for(snapshot, of_queue("a", 1)).hold);
}

TEST_CASE("pods count where the status of their Queue is behind") {
  Pod held = of_queue("a", 3);
  held.node_name = "a";
  held.phase = "Running";
  CHECK(answer_for(with({queue("a", 4, 0)}, {held}), of_queue("a", 2)).hold);
}

TEST_CASE("a Queue that is closed or does not exist holds all, one that was not read is told") {
  VolcanoQueue closed = queue("a", std::nullopt, 0);
  closed.state = "Closing";
  CHECK_THAT(answer_for(with({closed}), of_queue("a", 1)).hold->summary, Contains("is closing"));
  CHECK_THAT(answer_for(with({closed}), of_queue("default", 1)).hold->summary,
             Contains("does not exist"));
  const VolcanoAnswer unread = answer_for(with({}), of_queue("", 1));
  CHECK_FALSE(unread.hold);
  REQUIRE(unread.not_checked.size() == 1);
  CHECK_THAT(unread.not_checked[0], Contains("Queue default, which was not read"));
}

}  // namespace volcano_queue_test
