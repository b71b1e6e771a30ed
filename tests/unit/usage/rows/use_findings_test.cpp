#include "usage/rows/use_findings.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>

#include "make.hpp"
#include "usage/rows/gpu_usage.hpp"
#include "usage/rows/inventory.hpp"
#include "usage/rows/node_usage.hpp"
#include "usage/rows/pod_usage.hpp"

namespace rows_use_findings_test {

using namespace gpu;
using namespace gpu::usage;
using Catch::Contains;

namespace {

Time at(int seconds) { return Time(std::chrono::seconds(1'000'000 + seconds)); }

Pod running_since(Pod pod, int seconds) {
  pod.container_statuses.push_back({.name = "main", .running_since = at(seconds)});
  return pod;
}

/// Of node a with one card, told at 100 by an exporter that measures every 30 s.
Snapshot one_card(std::optional<double> utilization, const std::vector<Pod>& pods) {
  Snapshot snapshot = make::snapshot({make::node("a", 1)}, pods);
  Sample sample = make::card("a", 0, utilization);
  sample.at = at(100);
  sample.interval = std::chrono::seconds(30);
  snapshot.samples = {std::move(sample)};
  return snapshot;
}

/// The gap that begins so; an empty one where there is none.
Gap gap_that(const Inventory& inventory, std::string_view begins) {
  for (const auto& gaps : {inventory.live.gaps(), inventory.silent_values})
    for (const Gap& gap : gaps)
      if (gap.what.starts_with(begins)) return gap;
  return {};
}

}  // namespace

TEST_CASE("a card in use that no pod requested is said, with who may use it") {
  Snapshot snapshot = one_card(0.88, {make::pod("vllm-0", "a", 0), make::pod("vllm-1", "a", 0)});
  const Gap gap = gap_that(Inventory(snapshot, at(100)), "1 GPU on a");
  CHECK(gap.what == "1 GPU on a is in use, and no pod requested it");
  CHECK(gap.missing == Missing::requests);
  CHECK(gap.nodes == std::vector<std::string>{"a"});
  CHECK(gap.help == "kubectl gpu top gpus --node a");
  CHECK_THAT(gap.why, Contains("a/0: 88 % busy, 1.0 GiB in use"));
  CHECK_THAT(gap.why, Contains("ml/vllm-0, ml/vllm-1 run there and request no GPU"));

  // An idle card is nobody's, and one that a pod holds is that pod's.
  snapshot.samples.front().measures.utilization = 0.01;
  CHECK(gap_that(Inventory(snapshot, at(100)), "1 GPU on a").what.empty());
  const Snapshot held = one_card(0.88, {make::pod("train", "a", 1)});
  CHECK(gap_that(Inventory(held, at(100)), "1 GPU on a").what.empty());
}

TEST_CASE("what is measured seldom may be of a pod that has ended") {
  Snapshot snapshot = one_card(0.98, {});
  CHECK(gap_that(Inventory(snapshot, at(100)), "1 GPU on a").what ==
        "1 GPU on a was in use, and no pod requested it");
  snapshot.samples.front().interval = std::chrono::seconds(1);
  CHECK(gap_that(Inventory(snapshot, at(100)), "1 GPU on a").what ==
        "1 GPU on a is in use, and no pod requested it");
}

TEST_CASE("a file that may lack pods still tells of use that none of its pods requested") {
  Snapshot snapshot = one_card(0.98, {});
  snapshot.samples.front().interval = std::chrono::seconds(1);
  snapshot.pod_coverage = Coverage::partial;
  CHECK(gap_that(Inventory(snapshot, at(100)), "1 GPU on a").what.empty());
  snapshot.gaps.push_back({.what = "only some pods", .missing = Missing::pods_of_file});
  const Inventory inventory(snapshot, at(100));
  CHECK(gap_that(inventory, "1 GPU on a").what ==
        "1 GPU on a is in use, and no pod that was read requested it");
  CHECK(gpu_usage(inventory).front().is_unmanaged);
  // Unless the exporter names who has it.
  snapshot.samples.front().owners.push_back({.ns = "other", .pod = "train"});
  CHECK(gap_that(Inventory(snapshot, at(100)), "1 GPU on a").what.empty());
}

TEST_CASE("what was told before a pod had its card is not that pod's") {
  const Snapshot snapshot = one_card(0.98, {running_since(make::pod("sleeper", "a", 1), 97)});
  const Inventory inventory(snapshot, at(100));
  const Gap gap = gap_that(inventory, "1 pod on a");
  CHECK(gap.what == "1 pod on a is too young to have been measured");
  CHECK(gap.why == "ml/sleeper: what is reported may be 30s old, and so of the time before");
  const PodUsage pod = pod_usage(inventory).front();
  CHECK_FALSE(pod.use.utilization);
  CHECK_FALSE(pod.use.memory_used_bytes);
  CHECK(is_idle(pod.use) == std::nullopt);
  // The card is as it was told, and of the pod's use nothing follows.
  const GpuUsage card = gpu_usage(inventory).front();
  CHECK(card.use.utilization == 0.98);
  CHECK(card.use.is_of_before);
  CHECK(is_idle(card.use) == std::nullopt);
  CHECK_FALSE(usage_totals(node_usage(inventory)).front().busy);
}

TEST_CASE("an idle reading of before is no idle pod") {
  const Snapshot snapshot = one_card(0.0, {running_since(make::pod("worker", "a", 1), 95)});
  CHECK(idle_pods(Inventory(snapshot, at(100))).empty());
  CHECK(is_idle(gpu_usage(Inventory(snapshot, at(100))).front().use) == std::nullopt);
}

TEST_CASE("the busy part is of what has been measured under its holders") {
  Snapshot snapshot = make::snapshot(
      {make::node("a", 2)},
      {running_since(make::pod("old", "a", 1), 5), running_since(make::pod("new", "a", 1), 99)});
  snapshot.samples = {make::used_by(make::card("a", 0, 0.6), {"old"}),
                      make::used_by(make::card("a", 1, 0.9), {"new"})};
  for (Sample& sample : snapshot.samples) {
    sample.at = at(100);
    sample.interval = std::chrono::seconds(30);
  }
  const auto totals = usage_totals(node_usage(Inventory(snapshot, at(100))));
  REQUIRE(totals.front().busy);
  CHECK(*totals.front().busy == Approx(0.6));
}

TEST_CASE("a value that is never reported is said, with why where that is known") {
  Snapshot snapshot = one_card(0.96, {make::pod("ui", "a", 1)});
  snapshot.samples.front().measures.memory_used_bytes.reset();
  snapshot.samples.front().product = "NVIDIA GeForce RTX 3090";
  Gap gap = gap_that(Inventory(snapshot, at(100)), "the memory");
  CHECK(gap.what == "the memory in use of a/0 is not reported");
  CHECK(gap.why == "its exporter reports none");
  snapshot.samples.front().product = "NVIDIA GB10";
  gap = gap_that(Inventory(snapshot, at(100)), "the memory");
  CHECK(gap.why == "NVIDIA GB10 has unified memory: there is none of its own to report");

  // What was told and not believed is said as such.
  snapshot.samples.front().doubts = {"DCGM_FI_DEV_FB_USED is blank"};
  CHECK(gap_that(Inventory(snapshot, at(100)), "the memory").what.empty());
}

TEST_CASE("more devices in telemetry than are advertised make a node unhealthy") {
  Snapshot snapshot = make::snapshot({make::node("a", 1)}, {});
  snapshot.samples = {make::card("a", 0, 0.0), make::card("a", 1, 0.0)};
  CHECK(node_usage(Inventory(snapshot, at(100))).front().state == NodeState::unhealthy);
  snapshot.samples.pop_back();
  CHECK(node_usage(Inventory(snapshot, at(100))).front().state == NodeState::ready);
}

}  // namespace rows_use_findings_test
