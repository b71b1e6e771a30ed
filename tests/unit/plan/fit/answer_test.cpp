#include "plan/fit/answer.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace fit_answer_test {

using namespace gpu;
using namespace gpu::plan;

namespace {

Node typed(std::string name, std::int64_t gpus, std::string type = "test") {
  Node node = make::node(std::move(name), gpus);
  node.labels.set("node.kubernetes.io/instance-type", type);
  node.labels.set("nvidia.com/gpu.product", "NVIDIA-L4");
  for (ResourceList* const list : {&node.capacity, &node.allocatable}) {
    list->set("cpu", Quantity::of(64));
    list->set("memory", Quantity::of(std::int64_t{256} << 30));
  }
  return node;
}

/// Read whole, so that nothing is in doubt but webhooks.
Snapshot read_whole(std::vector<Node> nodes, const std::vector<Pod>& pods = {}) {
  Snapshot snapshot = make::cluster(std::move(nodes), pods);
  for (const char* kind : {"resourcequotas", "limitranges", "priorityclasses"})
    snapshot.scheduling.coverages[kind] = Coverage::whole;
  return snapshot;
}

PlannedPod planned(std::int64_t count, std::int64_t gpus) {
  Pod pod = make::waiting("train", gpus);
  pod.containers[0].limits = pod.containers[0].requests;
  pod.owners = {
      {.kind = "Job", .name = "train", .uid = {}, .api_version = "batch/v1", .controller = true}};
  return {.pod = std::move(pod), .count = count, .file = "x.yaml"};
}

/// Of Volcano, which runs.
PlannedPod gang(std::int64_t count, std::int64_t gpus, std::int64_t least) {
  PlannedPod made = planned(count, gpus);
  made.pod.scheduler_name = "volcano";
  made.pod.owners[0].api_version = "batch.volcano.sh/v1alpha1";
  made.group.least = least;
  return made;
}

Pod volcano() {
  Pod pod = make::running("volcano-scheduler-1", "a");
  pod.ns = "volcano-system";
  return pod;
}

FitAnswer asked(Snapshot snapshot, std::vector<PlannedPod> pods) {
  static const cost::PriceBook kPrices;
  PlannedObjects planned;
  planned.pods = std::move(pods);
  return fit_answer(std::move(planned), std::move(snapshot),
                    {.prices = kPrices, .now = std::nullopt});
}

}  // namespace

TEST_CASE("as many start as have room, and the rest is told") {
  const FitAnswer answer = asked(read_whole({typed("a", 4), typed("b", 2)}), {planned(5, 2)});
  CHECK(answer.starts == Range{3, 3});
  CHECK_FALSE(answer.all_start());
  REQUIRE(answer.rows.size() == 1);
  CHECK(answer.rows[0].code == diagnose::Code::insufficient_gpus);
}

TEST_CASE("what random choices leave open is a range") {
  // Two small pods on one node leave the other to the large one; on two nodes they do not.
  const FitAnswer answer =
      asked(read_whole({typed("a", 4), typed("b", 4)}), {planned(2, 2), [] {
                                                           PlannedPod large = planned(1, 4);
                                                           large.file = "y.yaml";
                                                           return large;
                                                         }()});
  REQUIRE(answer.starts);
  CHECK(answer.starts->least == 2);
  CHECK(answer.runs > 1);
}

TEST_CASE("a gang of Volcano starts whole or not at all") {
  const Snapshot snapshot = read_whole({typed("a", 4), typed("b", 4)}, {volcano()});
  const FitAnswer none = asked(snapshot, {gang(3, 4, 3)});
  CHECK(none.starts == Range{0, 0});
  CHECK(none.rows[0].gang == Gang::whole);
  CHECK(none.rows[0].room_for == 2);
  const FitAnswer two = asked(snapshot, {gang(3, 4, 2)});
  CHECK(two.starts == Range{2, 2});
  CHECK(two.rows[0].gang_least == 2);
  const FitAnswer never = asked(snapshot, {gang(2, 1, 3)});
  CHECK(never.starts == Range{0, 0});
  CHECK(never.rows[0].code == diagnose::Code::gang_waiting);
}

TEST_CASE("a gang that has some room needs nodes for the rest alone") {
  const FitAnswer answer =
      asked(read_whole({typed("a", 4), typed("b", 4)}, {volcano()}), {gang(5, 4, 5)});
  CHECK(answer.starts == Range{0, 0});
  REQUIRE(answer.needs.size() == 1);
  CHECK(answer.needs[0].nodes == 3);
}

TEST_CASE("a new node has all of its GPUs, whatever is ill on the one that it is like") {
  Node ill = typed("a", 8, "p5.48xlarge");
  ill.allocatable.set("nvidia.com/gpu", Quantity::of(6));
  const FitAnswer answer = asked(read_whole({ill}), {planned(2, 8)});
  REQUIRE(answer.needs.size() == 1);
  CHECK(answer.needs[0].gpus == 8);
  CHECK(answer.needs[0].nodes == 2);
}

TEST_CASE("the fewest nodes are needed of each type, and not more") {
  const FitAnswer answer =
      asked(read_whole({typed("a", 2, "small"), typed("b", 8, "large")}), {planned(13, 2)});
  CHECK(answer.starts == Range{5, 5});
  REQUIRE(answer.needs.size() == 2);
  CHECK(answer.needs[0].type == "large");
  CHECK(answer.needs[0].nodes == 2);
  CHECK(answer.needs[1].nodes == 8);
}

TEST_CASE("the largest free block is told by model") {
  const FitAnswer answer =
      asked(read_whole({typed("a", 4), typed("b", 4)}, {make::running("held", "a", {}, 3)}),
            {planned(1, 1)});
  REQUIRE(answer.blocks.size() == 1);
  CHECK(answer.blocks[0].node == "b");
  CHECK(answer.blocks[0].free == 4);
  CHECK(answer.blocks[0].unit == usage::Unit::gpu);
}

TEST_CASE(
    "cordoned nodes are named where all would start on them, and only those that are needed") {
  const auto cordoned = [](std::string name, std::int64_t gpus) {
    Node node = typed(std::move(name), gpus);
    node.unschedulable = true;
    node.taints = {
        {.key = "node.kubernetes.io/unschedulable", .value = {}, .effect = "NoSchedule"}};
    return node;
  };
  const Snapshot two = read_whole({typed("a", 2), cordoned("b", 4), cordoned("c", 4)});
  const auto named = [](const Snapshot& snapshot, PlannedPod pods) {
    return asked(snapshot, {std::move(pods)}).uncordoning.value_or(Uncordoning{});
  };
  CHECK(named(two, planned(1, 4)).nodes.size() == 1);
  CHECK(named(two, planned(1, 4)).starts == 1);
  CHECK(named(two, planned(2, 4)).nodes == std::vector<std::string>{"b", "c"});
  CHECK(named(two, planned(3, 4)).nodes == std::vector<std::string>{"b", "c"});
  CHECK(named(two, planned(3, 4)).starts == 2);
  CHECK(named(two, planned(1, 8)).nodes.empty());
  CHECK(named(two, planned(1, 2)).nodes.empty());

  Node leaving = cordoned("b", 4);
  leaving.taints.push_back(
      {.key = "ToBeDeletedByClusterAutoscaler", .value = {}, .effect = "NoSchedule"});
  CHECK(named(read_whole({typed("a", 2), leaving}), planned(1, 4)).nodes.empty());
  Node upgraded = cordoned("b", 4);
  upgraded.labels.set("nvidia.com/gpu-driver-upgrade-state", "drain-required");
  CHECK(named(read_whole({typed("a", 2), upgraded}), planned(1, 4)).nodes.empty());
}

TEST_CASE("free blocks are those of nodes that the pods may use") {
  Node other = typed("b", 8);
  other.labels.set("nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3");
  PlannedPod one = planned(1, 1);
  one.pod.node_selector.set("nvidia.com/gpu.product", "NVIDIA-L4");
  const FitAnswer answer = asked(read_whole({typed("a", 4), other}), {one});
  REQUIRE(answer.blocks.size() == 1);
  CHECK(answer.blocks[0].node == "a");
}

TEST_CASE("a full Queue of Volcano holds planned pods") {
  Snapshot snapshot = read_whole({typed("a", 4)}, {volcano()});
  for (const char* kind : {"queues.scheduling.volcano.sh", "podgroups.scheduling.volcano.sh"})
    snapshot.scheduling.coverages[kind] = Coverage::whole;
  VolcanoQueue queue{.name = "default", .state = "Open"};
  queue.capability.set("nvidia.com/gpu", Quantity::of(2));
  queue.allocated.emplace();
  snapshot.scheduling.volcano_queues = {queue};
  const FitAnswer answer = asked(snapshot, {gang(3, 1, 1)});
  CHECK(answer.starts == Range{2, 2});
  CHECK(answer.rows[0].code == diagnose::Code::held_by_queue);
  CHECK(asked(snapshot, {gang(3, 1, 3)}).starts == Range{0, 0});
  CHECK_FALSE(answer.needs_were_tried);
}

TEST_CASE("a pod that is nominated is named") {
  Pod other = make::waiting("other", 3);
  other.nominated_node = "a";
  other.priority = 10;
  const FitAnswer answer = asked(read_whole({typed("a", 4)}, {other}), {planned(1, 2)});
  CHECK(answer.starts == Range{0, 0});
  REQUIRE(answer.nominated.size() == 1);
  CHECK(answer.nominated[0].name == "other");
  CHECK(answer.nominated[0].gpus == 3);
}

}  // namespace fit_answer_test
