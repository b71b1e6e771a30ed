#include "usage/rows/pool_use.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"
#include "usage/rows/model_usage.hpp"
#include "usage/rows/namespace_usage.hpp"
#include "usage/rows/node_usage.hpp"
#include "usage/rows/pod_usage.hpp"

namespace rows_pool_use_test {

using namespace gpu;
using namespace gpu::usage;

namespace {

constexpr std::int64_t kGi = std::int64_t{1} << 30;

Snapshot with(Snapshot snapshot, std::vector<Sample> samples) {
  snapshot.samples = std::move(samples);
  return snapshot;
}

Node labelled(Node node) {
  node.labels = {{"nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3"},
                 {"nvidia.com/gpu.memory", "81920"}};
  return node;
}

Node slices(std::string name, std::int64_t one, std::int64_t three) {
  Node node = make::node(std::move(name), one, "nvidia.com/mig-1g.10gb");
  if (three > 0) node.capacity.set("nvidia.com/mig-3g.40gb", Quantity::of(three));
  node.allocatable = node.capacity;
  return node;
}

std::vector<Use> uses_of(const Snapshot& snapshot) { return Inventory(snapshot).uses; }

}  // namespace

TEST_CASE("a node's use is the mean over all that it has, free or not") {
  const auto uses = uses_of(with(make::snapshot({make::node("a", 2)}, {make::pod("x", "a", 1)}),
                                 {make::card("a", 0, 0.75), make::card("a", 1, 0.25)}));
  REQUIRE(uses.size() == 1);
  CHECK(uses[0].utilization == 0.5);
  CHECK(uses[0].memory_used_bytes == 2 * kGi);
  CHECK(uses[0].memory_total_bytes == 160 * kGi);
  CHECK(uses[0].power_watts == 200);
  CHECK(uses[0].devices == 2);
  CHECK(uses[0].measured == 2);
  CHECK(uses[0].kind == UtilizationKind::kernel_time);
}

TEST_CASE("one device without a measure makes the node's use unknown") {
  const Node node = labelled(make::node("a", 3));
  for (const bool is_told : {false, true}) {
    std::vector<Sample> samples = {make::card("a", 0, 0.5), make::card("a", 1, 0.5)};
    if (is_told) samples.push_back(make::card("a", 2, {}));
    const auto uses = uses_of(with(make::snapshot({node}, {}), samples));
    CHECK_FALSE(uses[0].utilization);
    CHECK(uses[0].memory_used_bytes.has_value() == is_told);
    CHECK(uses[0].memory_total_bytes == 240 * kGi);
    CHECK(uses[0].power_watts.has_value() == is_told);
    CHECK(uses[0].measured == 2);
    CHECK(uses[0].devices == 3);
  }
}

TEST_CASE("what is unavailable and exactly what is not measured is left out") {
  Node node = labelled(make::node("a", 3));
  node.allocatable.set("nvidia.com/gpu", Quantity::of(2));
  const std::vector<Sample> two = {make::card("a", 0, 0.25), make::card("a", 1, 0.75)};
  const auto uses = uses_of(with(make::snapshot({node}, {}), two));
  CHECK(uses[0].utilization == 0.5);
  CHECK(uses[0].measured == 2);
  CHECK(uses[0].devices == 3);
  CHECK(uses[0].memory_total_bytes == 240 * kGi);
  CHECK(uses[0].power_watts == 200);
  node.allocatable.set("nvidia.com/gpu", Quantity::of(1));
  CHECK_FALSE(uses_of(with(make::snapshot({node}, {}), two))[0].utilization);
}

TEST_CASE("memory that there is is known from labels where no telemetry is") {
  Node node = labelled(make::node("a", 8));
  node.unschedulable = true;
  const auto uses = uses_of(make::snapshot({node, make::node("b", 8)}, {}));
  CHECK(uses[0].memory_total_bytes == 640 * kGi);
  CHECK_FALSE(uses[0].memory_used_bytes);
  CHECK_FALSE(uses[0].utilization);
  CHECK_FALSE(uses[1].memory_total_bytes);
}

TEST_CASE("a card's power counts once, in one pool of the node") {
  const std::vector<Sample> samples = {make::slice("a", 0, "7", "1g.10gb", 0.5),
                                       make::slice("a", 0, "8", "1g.10gb", 0.5),
                                       make::slice("a", 0, "2", "3g.40gb", 0.5)};
  const auto uses = uses_of(with(make::snapshot({slices("a", 2, 1)}, {}), samples));
  REQUIRE(uses.size() == 2);
  CHECK(uses[0].power_watts == 100);
  CHECK_FALSE(uses[1].power_watts);
  CHECK(uses[1].utilization == 0.5);
  const auto apart = uses_of(with(make::snapshot({slices("a", 2, 0), slices("b", 2, 0)}, {}),
                                  {samples[0], make::slice("a", 1, "7", "1g.10gb", 0.5),
                                   make::slice("b", 0, "7", "1g.10gb", 0.5)}));
  CHECK(apart[0].power_watts == 200);
  CHECK_FALSE(apart[1].power_watts);
}

TEST_CASE("a pod's use is that of all its devices or unknown") {
  const std::vector<Sample> samples = {make::used_by(make::card("a", 0, 0.75), {"x"}),
                                       make::used_by(make::card("a", 1, 0.25), {"x"}),
                                       make::card("a", 2, 0.9), make::card("a", 3, 0)};
  const std::vector<Pod> pods = {make::pod("x", "a", 2), make::pod("y", "a", 1)};
  const Snapshot snapshot = with(make::snapshot({labelled(make::node("a", 4))}, pods), samples);
  const Inventory inventory(snapshot);
  const auto rows = pod_usage(inventory);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].use.utilization == 0.5);
  CHECK(rows[0].use.memory_total_bytes == 160 * kGi);
  CHECK(rows[0].use.power_watts == 200);
  CHECK_FALSE(rows[0].is_of_whole_device);
  CHECK_FALSE(rows[1].use.utilization);
  CHECK(rows[1].use.memory_total_bytes == 80 * kGi);
  CHECK(rows[1].use.devices == 1);
  CHECK(rows[1].use.measured == 0);
  // A holder that is not known makes the namespace's use unknown.
  const auto usages = namespace_usage(rows);
  REQUIRE(usages.size() == 1);
  CHECK_FALSE(usages[0].use.utilization);
  CHECK(usages[0].use.measured == 2);
  CHECK(usages[0].use.devices == 3);
  CHECK(usages[0].use.memory_total_bytes == 240 * kGi);
}

TEST_CASE("of a shared card a pod has its own use alone") {
  Node node = make::node("a", 4);
  node.labels = {{"nvidia.com/gpu.product", "Tesla-T4-SHARED"}, {"nvidia.com/gpu.replicas", "4"}};
  Sample sample = make::used_by(make::card("a", 0, 0.75), {"x", "y"});
  sample.owners[1].own.utilization = 0.25;
  const Snapshot snapshot =
      with(make::snapshot({node}, {make::pod("x", "a", 1), make::pod("y", "a", 1)}), {sample});
  const Inventory inventory(snapshot);
  CHECK(inventory.uses[0].utilization == 0.75);
  CHECK(inventory.uses[0].devices == 1);
  const auto rows = pod_usage(inventory);
  CHECK_FALSE(rows[0].use.utilization);
  CHECK(rows[1].use.utilization == 0.25);
  CHECK(rows[0].is_of_whole_device);
  CHECK_FALSE(rows[1].use.power_watts);
}

TEST_CASE("a pod that has all of a shared card has its use") {
  Node node = make::node("a", 2);
  node.labels = {{"nvidia.com/gpu.product", "Tesla-T4-SHARED"}, {"nvidia.com/gpu.replicas", "2"}};
  const Snapshot snapshot =
      with(make::snapshot({node}, {make::pod("x", "a", 2)}), {make::card("a", 0, 0.75)});
  const Inventory inventory(snapshot);
  const auto rows = pod_usage(inventory);
  CHECK(rows[0].use.utilization == 0.75);
  CHECK_FALSE(rows[0].is_of_whole_device);
}

TEST_CASE("a metric of a pod alone tells its utilization and nothing else") {
  const Sample sample{.source = MetricSource::custom,
                      .pod_only = "ml/x",
                      .measures = {.utilization = 0.4, .kind = UtilizationKind::adapter}};
  Node two = make::node("b", 1);
  two.capacity.set("nvidia.com/mig-1g.10gb", Quantity::of(7));
  two.allocatable = two.capacity;
  Pod mixed = make::pod("mixed", "b", 1);
  mixed.containers.front().requests.set("nvidia.com/mig-1g.10gb", Quantity::of(1));
  Sample of_mixed = sample;
  of_mixed.pod_only = "ml/mixed";
  const Snapshot snapshot =
      with(make::snapshot({make::node("a", 4), two}, {make::pod("x", "a", 3), mixed}),
           {sample, of_mixed});
  const Inventory inventory(snapshot);
  const auto rows = pod_usage(inventory);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].use.utilization == 0.4);
  CHECK(rows[0].use.source == MetricSource::custom);
  CHECK(rows[0].use.measured == 3);
  CHECK_FALSE(rows[0].use.memory_used_bytes);
  CHECK_FALSE(rows[1].use.utilization);
  CHECK_FALSE(rows[2].use.utilization);
  CHECK_FALSE(inventory.uses[0].utilization);
  const auto groups = pod_groups({rows[0]}, snapshot, Folding::none);
  CHECK(groups[0].use.utilization.value_or(0) == Approx(0.4));
}

TEST_CASE("pods that share a claim have its use together, and none alone") {
  Node node = make::node("a", 0);
  Pod x = make::pod("x", "a", 0);
  Pod y = make::pod("y", "a", 0);
  x.uid = "x";
  y.uid = "y";
  Snapshot snapshot = make::snapshot({node}, {x, y});
  snapshot.slice_coverage = snapshot.claim_coverage = Coverage::whole;
  ResourceSlice slice{.name = "a", .driver = "gpu.nvidia.com", .pool = "a", .generation = 1};
  slice.slice_count = 1;
  slice.node_name = "a";
  slice.devices = {{.name = "gpu-0"}, {.name = "gpu-1"}};
  slice.devices[0].attributes = {{"type", "gpu"}, {"uuid", "GPU-a-0"}};
  slice.devices[1].attributes = {{"type", "gpu"}};
  snapshot.slices.push_back(slice);
  ResourceClaim claim{.ns = "ml", .name = "c", .uid = "c", .is_allocated = true};
  claim.devices.push_back({.id = {"gpu.nvidia.com", "a", "gpu-0"}, .request = "gpu"});
  claim.devices.push_back({.id = {"gpu.nvidia.com", "a", "gpu-1"}, .request = "gpu"});
  claim.reserved_for = {{.name = "x", .uid = "x"}, {.name = "y", .uid = "y"}};
  snapshot.claims.push_back(claim);
  Sample named = make::card("a", 1, 0.5);
  named.dra = {.driver = "gpu.nvidia.com", .pool = "a", .device = "gpu-1"};
  snapshot.samples = {make::card("a", 0, 1.0), named};
  const Inventory inventory(snapshot);
  CHECK(inventory.uses[0].utilization == 0.75);
  const auto rows = pod_usage(inventory);
  REQUIRE(rows.size() == 2);
  CHECK_FALSE(rows[0].use.utilization);
  CHECK(rows[0].held_use.utilization == 0.75);
  CHECK(namespace_usage(rows)[0].use.utilization == 0.75);
  CHECK(namespace_usage(rows)[0].use.power_watts == 200);
}

TEST_CASE("sums of models go by units") {
  const Snapshot snapshot =
      with(make::snapshot({labelled(make::node("a", 1)), labelled(make::node("b", 3))}, {}),
           {make::card("a", 0, 1.0), make::card("b", 0, 0), make::card("b", 1, 0),
            make::card("b", 2, 0)});
  const Inventory inventory(snapshot);
  std::vector<const Pool*> pools = {&inventory.pools[0], &inventory.pools[1]};
  const auto usages = model_usage(inventory, pools);
  REQUIRE(usages.size() == 1);
  CHECK(usages[0].use.utilization == 0.25);
  CHECK(usages[0].use.devices == 4);
}

TEST_CASE("a model's nodes that are out and silent are left out of means, not of memory") {
  Node cordoned = labelled(make::node("c", 4));
  cordoned.unschedulable = true;
  const auto use = [&](std::vector<Node> nodes) {
    const Snapshot snapshot = with(make::snapshot(std::move(nodes), {}), {make::card("a", 0, 0.5)});
    const Inventory inventory(snapshot);
    std::vector<const Pool*> pools;
    for (const Pool& pool : inventory.pools) pools.push_back(&pool);
    return model_usage(inventory, pools)[0].use;
  };
  const Use all = use({labelled(make::node("a", 1)), cordoned});
  CHECK(all.utilization == 0.5);
  CHECK(all.measured == 1);
  CHECK(all.devices == 5);
  CHECK(all.memory_total_bytes == 400 * kGi);
  cordoned.unschedulable = false;
  CHECK_FALSE(use({labelled(make::node("a", 1)), cordoned}).utilization);
}

TEST_CASE("cards whose slices have no metrics still have their power") {
  Node node = slices("a", 7, 0);
  node.labels = {{"nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3"},
                 {"nvidia.com/gpu.count", "1"}};
  const std::vector<Sample> one = {make::card("a", 0, {})};
  const auto uses = uses_of(with(make::snapshot({node}, {}), one));
  REQUIRE(uses.size() == 1);
  CHECK(uses[0].power_watts == 100);
  CHECK_FALSE(uses[0].utilization);
  CHECK_FALSE(uses[0].memory_used_bytes);
  // Another card than those that are cut, or one that is not told of.
  CHECK_FALSE(
      uses_of(with(make::snapshot({node}, {}), {one[0], make::card("a", 1, {})}))[0].power_watts);
  node.labels = {{"nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3"},
                 {"nvidia.com/gpu.count", "2"}};
  CHECK_FALSE(uses_of(with(make::snapshot({node}, {}), one))[0].power_watts);
}

TEST_CASE("rows of models and totals leave out the same") {
  Node sick = labelled(make::node("s", 2));
  sick.allocatable.set("nvidia.com/gpu", Quantity::of(1));
  Node drained = labelled(make::node("d", 2));
  drained.unschedulable = true;
  Node silent = labelled(make::node("z", 8));
  silent.unschedulable = true;
  const std::vector<Sample> samples = {make::card("a", 0, 0.5), make::card("s", 0, 0.6),
                                       make::card("d", 0, 0.25), make::card("d", 1, 0.25)};
  const auto check = [&](std::vector<Node> nodes, std::optional<double> model) {
    const Snapshot snapshot = with(make::snapshot(std::move(nodes), {}), samples);
    const Inventory inventory(snapshot);
    std::vector<const Pool*> pools;
    for (const Pool& pool : inventory.pools) pools.push_back(&pool);
    CHECK(model_usage(inventory, pools)[0].use.utilization == model);
    return usage_totals(node_usage(inventory))[0].busy;
  };
  const Node one = labelled(make::node("a", 1));
  // Those that are cordoned are measured, and are not to be had.
  CHECK(check({one, sick, drained, silent}, 0.55) == 0.55);
  CHECK_FALSE(check({drained, silent}, 0.25));
  CHECK_FALSE(check({silent}, std::nullopt));
  CHECK_FALSE(check({one, labelled(make::node("y", 1))}, std::nullopt));
}

TEST_CASE("busy is of what is not unavailable") {
  Node cordoned = make::node("c", 2);
  cordoned.unschedulable = true;
  Node sick = make::node("s", 2);
  sick.allocatable.set("nvidia.com/gpu", Quantity::of(1));
  std::vector<Sample> samples = {make::card("a", 0, 0.5), make::card("a", 1, 1.0),
                                 make::used_by(make::card("s", 0, 0.6), {"x"}),
                                 make::card("s", 1, 0.2)};
  const auto busy = [&](const std::vector<Node>& nodes) {
    const Snapshot snapshot = with(make::snapshot(nodes, {make::pod("x", "s", 1)}), samples);
    return usage_totals(node_usage(Inventory(snapshot)))[0].busy;
  };
  CHECK(busy({make::node("a", 2)}) == 0.75);
  CHECK(busy({make::node("a", 2), cordoned}) == 0.75);
  CHECK_FALSE(busy({make::node("a", 2), make::node("silent", 1)}));
  // Which of the two is sick is not known, and both are measured.
  CHECK(busy({make::node("a", 2), sick}).value_or(0) == Approx((0.5 + 1.0 + 0.6 + 0.2) / 4));
  samples.back().measures.utilization = 0.6;
  CHECK(busy({make::node("a", 2), sick}).value_or(0) == Approx(0.7));
  CHECK_FALSE(busy({cordoned}));
}

TEST_CASE("more memory in use than the card has is no value, and a gap names the card") {
  Sample full = make::card("a", 0, 0.5);
  full.measures.memory_total_bytes.reset();
  full.measures.memory_used_bytes = 80 * kGi;
  Sample lie = make::used_by(make::card("a", 1, 0.5), {"x"});
  lie.measures.memory_total_bytes.reset();
  lie.measures.memory_used_bytes = 81 * kGi;
  lie.owners[0].own.memory_used_bytes = 81 * kGi;
  const Snapshot snapshot =
      with(make::snapshot({labelled(make::node("a", 2))}, {make::pod("x", "a", 2)}), {full, lie});
  const Inventory inventory(snapshot);
  CHECK(inventory.devices[0].devices[0].live->sample.measures.memory_used_bytes == 80 * kGi);
  CHECK_FALSE(inventory.devices[0].devices[1].live->sample.measures.memory_used_bytes);
  CHECK_FALSE(inventory.devices[0].devices[1].live->users[0].own.memory_used_bytes);
  CHECK_FALSE(inventory.uses[0].memory_used_bytes);
  CHECK(inventory.uses[0].utilization == 0.5);
  REQUIRE(inventory.live.gaps().size() == 1);
  CHECK(inventory.live.gaps()[0].what == "1 GPU is reported to use more memory than there is");
  CHECK(inventory.live.gaps()[0].why == "a/1: 81.0 GiB");
  CHECK(inventory.live.gaps()[0].nodes == std::vector<std::string>{"a"});
}

TEST_CASE("what a card says it has counts against a label that says less") {
  Sample sample = make::card("a", 0, 0.5);
  sample.measures.memory_total_bytes = 141 * kGi;
  sample.measures.memory_used_bytes = 140 * kGi;
  const Snapshot snapshot = with(make::snapshot({labelled(make::node("a", 1))}, {}), {sample});
  CHECK(Inventory(snapshot).uses[0].memory_used_bytes == 140 * kGi);
}

}  // namespace rows_pool_use_test
