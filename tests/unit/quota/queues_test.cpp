#include <catch2/catch.hpp>

#include <limits>

#include "base/error.hpp"
#include "quota/world.hpp"

namespace gpu::quota::quota_queues_test {
namespace {

using make::kCard;
using make::quota_snapshot;
using make::row_of;

ResourceList cards(std::int64_t count) {
  ResourceList list;
  list.set(kCard, Quantity::of(count));
  return list;
}

Pod of_group(Pod pod, std::string_view group) {
  pod.annotations.set("scheduling.k8s.io/group-name", std::string(group));
  return pod;
}

TEST_CASE("Volcano's queues: use, what waits, and who holds") {
  Snapshot snapshot =
      quota_snapshot({make::node("a", 16)}, {of_group(make::pod("train-0", "a", 8), "train")});
  SchedulingFacts& facts = snapshot.scheduling;
  facts.volcano_queues = {
      {.name = "research", .capability = cards(8), .deserved = cards(4), .allocated = cards(8)},
      {.name = "sub", .parent = "research", .capability = cards(4)}};
  facts.volcano_pod_groups = {
      {.ns = "ml",
       .name = "train",
       .queue = "research",
       .phase = "Running",
       .min_resources = cards(8)},
      {.ns = "ml", .name = "next", .queue = "sub", .phase = "Pending", .min_resources = cards(2)}};
  const QuotaAnswer answer = quota_answer(snapshot, {});
  const QuotaRow& row = row_of(answer, "research");
  CHECK(row.limit == Quantity::of(8));
  CHECK(row.deserved == Quantity::of(4));
  CHECK(row.used == Quantity::of(8));
  CHECK(row.counted.used == Quantity::of(8));
  CHECK(row.waiting == 1);  // in the queue below it
  CHECK(row.state == State::full);
  CHECK(row_of(answer, "sub").waiting_units == Quantity::of(2));
  CHECK(row_of(answer, "sub").used == Quantity{});
  REQUIRE(answer.waits.size() == 1);
  CHECK(answer.waits.front().queue == "sub");
  // Queues limit the pod, so its namespace is not without a quota.
  CHECK(answer.rows.back().limiter != Limiter::name_space);
}

TEST_CASE("Volcano's queues that are each other's parents end somewhere") {
  Snapshot snapshot = quota_snapshot({make::node("a", 16)});
  snapshot.scheduling.volcano_queues = {{.name = "x", .parent = "y", .capability = cards(8)},
                                        {.name = "y", .parent = "x", .capability = cards(8)}};
  CHECK(quota_answer(snapshot, {}).rows.size() == 2);
  CHECK(quota_answer(snapshot, "x").rows.size() == 2);
}

TEST_CASE("KAI's queues count parts of cards") {
  Pod half = make::pod("half", "a", 0);
  half.scheduler_name = "kai-scheduler";
  half.labels.set("kai.scheduler/queue", "ml");
  half.annotations.set("gpu-fraction", "0.5");
  Snapshot snapshot = quota_snapshot({make::node("a", 16)}, {half});
  KaiQueue queue{.name = "ml"};
  queue.allowances = {
      {.resource = std::string(kCard), .quota = Quantity::of(4), .limit = Quantity::of(8)},
      {.resource = "cpu", .quota = {}, .limit = {}},
      {.resource = "memory", .quota = {}, .limit = {}}};
  snapshot.scheduling.kai_queues = {queue};
  const QuotaAnswer answer = quota_answer(snapshot, {});
  const QuotaRow& row = row_of(answer, "ml");
  CHECK(row.limiter == Limiter::kai_queue);
  CHECK(row.counted.used == Quantity::of_milli(500));
  CHECK(row.free == Quantity::of_milli(7500));
  CHECK(row.deserved == Quantity::of(4));
}

TEST_CASE("a team is whatever is called so, with what stands above it") {
  Snapshot snapshot = quota_snapshot({make::node("a", 16)}, {make::pod("free", "a", 1)});
  SchedulingFacts& facts = snapshot.scheduling;
  facts.quotas = {make::resource_quota("gpus", "requests.nvidia.com/gpu", 8, 0)};
  facts.quotas.front().ns = "vision";
  facts.cluster_queues = {make::cluster_queue("a", "all", 8, 0),
                          make::cluster_queue("b", "all", 8, 0)};
  facts.local_queues = {make::local_queue("main", "a")};
  const auto names = [&](std::string_view team) {
    std::string text;
    for (const QuotaRow& row : quota_answer(snapshot, team).rows) text += full_name(row) + " ";
    return text;
  };
  CHECK(names("vision") == "vision/gpus ");
  CHECK(names("gpus") == "vision/gpus ");
  CHECK(names("ml") == "all a ml/main ml ");
  CHECK(names("ml/main") == "all a ml/main ");
  CHECK(names("a") == "all a ml/main ");
  CHECK(names("all") == "all a b ");
  try {
    static_cast<void>(quota_answer(snapshot, "visoin"));
    FAIL("a name that nothing has");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    CHECK(error.help() == "a similar one is `vision`");
  }
}

TEST_CASE("without sight of a kind of limits nobody is said to be without one") {
  Snapshot snapshot = quota_snapshot({make::node("a", 16)}, {make::pod("free", "a", 1)});
  CHECK(quota_answer(snapshot, {}).rows.size() == 1);
  snapshot.scheduling.coverages["clusterqueues"] = Coverage::none;
  CHECK(quota_answer(snapshot, {}).rows.empty());
}

TEST_CASE("a pod that waits for a node holds its namespace's quota") {
  Pod stuck = make::pod("stuck", "", 4);
  stuck.created = parse_time("2026-11-29T12:00:00Z");
  Pod fresh = make::pod("fresh", "", 2);
  fresh.created = parse_time("2026-11-30T11:59:00Z");
  Snapshot snapshot = quota_snapshot({make::node("a", 16)}, {stuck, fresh});
  snapshot.scheduling.quotas = {make::resource_quota("gpus", "requests.nvidia.com/gpu", 8, 6)};
  const QuotaAnswer answer = quota_answer(snapshot, {});
  REQUIRE(answer.idle.size() == 1);
  CHECK(answer.idle.front().name == "stuck");
  CHECK(answer.idle.front().reason == IdleReason::not_bound);
}

TEST_CASE("devices by their class: the quota's own count, and a class that is missing") {
  Snapshot snapshot = quota_snapshot({make::node("a", 16)});
  snapshot.scheduling.coverages["deviceclasses"] = Coverage::whole;
  snapshot.device_classes.push_back({.name = "gpu.nvidia.com"});
  const std::string suffix = ".deviceclass.resource.k8s.io/devices";
  snapshot.scheduling.quotas = {make::resource_quota("cards", "gpu.nvidia.com" + suffix, 8, 3),
                                make::resource_quota("gone", "mig.nvidia.com" + suffix, 8, 0),
                                make::resource_quota("nics", "nic.example.com" + suffix, 8, 0)};
  const QuotaAnswer answer = quota_answer(snapshot, {});
  CHECK(row_of(answer, "cards").used == Quantity::of(3));
  CHECK(row_of(answer, "cards").free == Quantity::of(5));
  CHECK_FALSE(row_of(answer, "cards").counted.used);
  CHECK(row_of(answer, "gone").problem == Problem::no_such_class);
  CHECK(answer.rows.size() == 2);
}

TEST_CASE("units that are no cards are called so") {
  Node node = make::node("a", 16);
  node.labels.set("nvidia.com/gpu.product", "NVIDIA-A100-SXM4-40GB-SHARED");
  node.labels.set("nvidia.com/gpu.count", "4");
  node.labels.set("nvidia.com/gpu.replicas", "4");
  node.labels.set("nvidia.com/gpu.sharing-strategy", "time-slicing");
  Snapshot snapshot = quota_snapshot({node});
  snapshot.scheduling.quotas = {make::resource_quota("gpus", "requests.nvidia.com/gpu", 8, 0)};
  CHECK(row_of(quota_answer(snapshot, {}), "gpus").unit == "share");
}

TEST_CASE("amounts beyond 64 bits stop there") {
  Snapshot snapshot = quota_snapshot({make::node("a", 16)});
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  snapshot.scheduling.quotas = {
      make::resource_quota("gpus", "requests.nvidia.com/gpu", kMost, kMost)};
  snapshot.scheduling.cluster_queues = {make::cluster_queue("a", "all", kMost, kMost),
                                        make::cluster_queue("b", "all", kMost, 0)};
  snapshot.scheduling.workloads = {make::workload("big", "main", kMost)};
  snapshot.scheduling.workloads.front().pod_sets.front().count = kMost;
  snapshot.scheduling.local_queues = {make::local_queue("main", "a")};
  const QuotaAnswer answer = quota_answer(snapshot, {});
  CHECK(row_of(answer, "gpus").state == State::full);
  CHECK(answer.rows.size() == 5);
}

}  // namespace
}  // namespace gpu::quota::quota_queues_test
