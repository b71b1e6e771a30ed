#include <algorithm>
#include <catch2/catch.hpp>

#include "make.hpp"
#include "usage/rows/gpu_usage.hpp"

namespace rows_attribution_test {

using namespace gpu;
using namespace gpu::usage;

namespace {

/// Rows of a cluster with these samples; lives as long as its inventory.
struct Rows {
  Rows(std::vector<Node> nodes, const std::vector<Pod>& pods, std::vector<Sample> samples)
      : snapshot(with(make::snapshot(std::move(nodes), pods), std::move(samples))),
        inventory(snapshot),
        rows(gpu_usage(inventory)) {}

  static Snapshot with(Snapshot snapshot, std::vector<Sample> samples) {
    snapshot.samples = std::move(samples);
    return snapshot;
  }

  Snapshot snapshot;
  Inventory inventory;
  std::vector<GpuUsage> rows;
};

/// "0 x exporter; 1 y request; 2 free; 3 ?": index, pod and evidence, or state.
std::string text_of(const std::vector<GpuUsage>& rows) {
  std::string text;
  for (const GpuUsage& row : rows) {
    text += text.empty() ? "" : "; ";
    text += row.index ? std::to_string(*row.index) : "-";
    if (!row.mig_instance.empty()) text += ":" + row.mig_instance;
    if (row.units != 1) text += " x" + std::to_string(row.units);
    for (const DeviceHolder& holder : row.pods) text += " " + holder.pod->name;
    if (row.evidence) text += " " + std::string(name_of(*row.evidence));
    if (row.state == DeviceState::unknown) text += " ?";
    if (row.pods.empty() && row.state != DeviceState::unknown)
      text += " " + std::string(name_of(row.state));
  }
  return text;
}

std::vector<Sample> cards(std::int64_t count) {
  std::vector<Sample> made;
  for (std::int64_t i = 0; i < count; ++i)
    made.push_back(make::card("a", i, 0.01 * static_cast<double>(i)));
  return made;
}

std::vector<Sample> used(std::vector<Sample> samples, std::size_t place,
                         const std::vector<std::string>& pods) {
  samples.at(place) = make::used_by(samples.at(place), pods);
  return samples;
}

Pod given(Pod pod, const std::vector<std::string>& ids,
          const std::string& resource = "nvidia.com/gpu") {
  pod.container_statuses.push_back({.name = "main"});
  for (const std::string& id : ids)
    pod.container_statuses.back().devices.push_back({.name = resource, .id = id});
  return pod;
}

Node shared(std::int64_t units, const std::string& replicas) {
  Node node = make::node("a", units);
  node.labels = {{"nvidia.com/gpu.product", "Tesla-T4-SHARED"},
                 {"nvidia.com/gpu.replicas", replicas}};
  return node;
}

bool has_gap(const Inventory& inventory, std::string_view what) {
  return std::any_of(inventory.live.gaps().begin(), inventory.live.gaps().end(),
                     [&](const Gap& gap) { return gap.what == what; });
}

}  // namespace

TEST_CASE("the kubelet's word comes before the exporter's") {
  const Rows made({make::node("a", 2)}, {given(make::pod("x", "a", 1), {"GPU-a-1"})},
                  used(used(cards(2), 0, {"x"}), 1, {"x"}));
  CHECK(text_of(made.rows) == "0 free; 1 x status");
  CHECK(made.rows[1].use.utilization == 0.01);
  CHECK(made.rows[1].device == "GPU-a-1");
  CHECK(made.rows[0].memory_bytes == std::int64_t{80} << 30);
}

TEST_CASE("an exporter is believed as far as the pod holds so many") {
  const std::vector<Pod> pods = {make::pod("x", "a", 1), make::pod("y", "a", 1)};
  const Rows made({make::node("a", 3)}, pods, used(used(cards(3), 0, {"x"}), 2, {"y"}));
  CHECK(text_of(made.rows) == "0 x exporter; 1 free; 2 y exporter");
  const Rows two({make::node("a", 3)}, pods, used(used(cards(3), 0, {"x"}), 2, {"x"}));
  CHECK(text_of(two.rows) == "0 ?; 1 ?; 2 ?");
  CHECK(has_gap(two.inventory, "which of the 3 GPUs on a ml/x, ml/y hold is not known"));
  const Rows both({make::node("a", 3)}, pods, used(cards(3), 0, {"x", "y"}));
  CHECK(text_of(both.rows) == "0 ?; 1 ?; 2 ?");
}

TEST_CASE("the only holder that is left has what is left") {
  const Rows made({make::node("a", 3)}, {make::pod("x", "a", 2), make::pod("y", "a", 1)},
                  used(cards(3), 1, {"y"}));
  CHECK(text_of(made.rows) == "0 x request; 1 y exporter; 2 x request");
  CHECK(made.inventory.live.gaps().empty());
}

TEST_CASE("with something free beside, nobody knows which is held") {
  const Rows made({make::node("a", 3)}, {make::pod("x", "a", 2)}, cards(3));
  CHECK(text_of(made.rows) == "0 ?; 1 ?; 2 ?");
  CHECK(made.rows[2].use.utilization == 0.02);
  CHECK(has_gap(made.inventory, "which of the 3 GPUs on a ml/x holds is not known"));
}

TEST_CASE("nothing that is held makes all free") {
  const Rows made({make::node("a", 2)}, {}, cards(2));
  CHECK(text_of(made.rows) == "0 free; 1 free");
}

TEST_CASE("a device without metrics keeps its units") {
  const Rows made({make::node("a", 4)}, {make::pod("x", "a", 4)}, cards(3));
  CHECK(text_of(made.rows) == "0 x request; 1 x request; 2 x request; - x request");
  const Rows open({make::node("a", 4)}, {make::pod("x", "a", 1)}, used(cards(3), 0, {"x"}));
  CHECK(text_of(open.rows) == "0 x exporter; 1 free; 2 free; - free");
  const Rows unsure({make::node("a", 4)}, {make::pod("x", "a", 2)}, cards(2));
  CHECK(text_of(unsure.rows) == "0 ?; 1 ?; - x2 ?");
  CHECK(has_gap(open.inventory, "1 node has metrics of some GPUs only"));
}

TEST_CASE("metrics of more devices than there are make no rows") {
  const Rows made({make::node("a", 2)}, {make::pod("x", "a", 1)}, used(cards(3), 1, {"x"}));
  CHECK(text_of(made.rows) == "1 x exporter; - free");
  CHECK(has_gap(made.inventory, "1 node has metrics of more GPUs than it offers"));
}

TEST_CASE("free or unavailable: where both are, nobody knows which") {
  Node node = make::node("a", 3);
  node.allocatable.set("nvidia.com/gpu", Quantity::of(2));
  const Rows made({node}, {make::pod("x", "a", 1)}, used(cards(3), 0, {"x"}));
  CHECK(text_of(made.rows) == "0 x exporter; 1 ?; 2 ?");
  node.unschedulable = true;
  const Rows closed({node}, {make::pod("x", "a", 1)}, used(cards(3), 0, {"x"}));
  CHECK(text_of(closed.rows) == "0 x exporter; 1 unavailable; 2 unavailable");
  CHECK(closed.rows[1].reason == Unavailable::cordoned);
}

TEST_CASE("without pods every device is there, and nobody's") {
  Snapshot snapshot = make::snapshot({make::node("a", 2)}, {});
  snapshot.pod_coverage = Coverage::none;
  snapshot.samples = cards(2);
  const Inventory inventory(snapshot);
  CHECK(text_of(gpu_usage(inventory)) == "0 ?; 1 ?");
}

TEST_CASE("a busy device that nobody holds is used unmanaged") {
  std::vector<Sample> samples = cards(4);
  samples[1].measures.utilization = 0.05;
  samples[2].measures.memory_used_bytes = (std::int64_t{1} << 30) + 1;
  samples[3].measures.utilization = 0.9;
  const Rows made({make::node("a", 4)}, {make::pod("x", "a", 1)}, used(samples, 3, {"x"}));
  CHECK_FALSE(made.rows[0].is_unmanaged);
  CHECK(made.rows[1].is_unmanaged);
  CHECK(made.rows[2].is_unmanaged);
  CHECK_FALSE(made.rows[3].is_unmanaged);
}

TEST_CASE("rows of a shared card: the device's use once, then each pod's own") {
  Sample sample = make::used_by(make::card("a", 0, 0.7), {"x", "y"});
  sample.owners[0].own.utilization = 0.5;
  sample.owners[1].own.utilization = 0.2;
  const Rows made({shared(4, "4")}, {make::pod("x", "a", 1), make::pod("y", "a", 1)}, {sample});
  REQUIRE(text_of(made.rows) == "0 x exporter; 0 y exporter; 0 x2 free");
  CHECK(made.rows[0].use.utilization == 0.7);
  CHECK(made.rows[0].is_of_whole_device);
  CHECK(made.rows[1].use.utilization == 0.2);
  CHECK_FALSE(made.rows[1].use.power_watts);
  CHECK_FALSE(made.rows[1].is_of_whole_device);
  CHECK_FALSE(made.rows[2].use.utilization);
  CHECK_FALSE(made.rows[0].memory_bytes);
}

TEST_CASE("the last pod of a shared card wins in some exporters: the others are not guessed") {
  const std::vector<Pod> pods = {make::pod("x", "a", 1), make::pod("y", "a", 1),
                                 make::pod("z", "a", 1)};
  const Rows made({shared(8, "4")}, pods,
                  {make::used_by(make::card("a", 0, 0.7), {"z"}), make::card("a", 1, 0)});
  CHECK(text_of(made.rows) == "0 z exporter; 0 x3 ?; 1 x4 ?");
  CHECK(made.rows[0].is_of_whole_device);
  // All stand on the only card there is.
  const Rows one({shared(4, "4")}, pods, {make::used_by(make::card("a", 0, 0.7), {"z"})});
  CHECK(text_of(one.rows) == "0 z exporter; 0 x request; 0 y request; 0 free");
  CHECK(one.rows[0].is_of_whole_device);
  CHECK(has_gap(one.inventory, "metrics name 1 of 3 pods that share the GPU on a"));
  const Rows all({shared(4, "4")}, pods, {make::used_by(make::card("a", 0, 0.7), {"x", "y", "z"})});
  CHECK(all.inventory.live.gaps().empty());
  // Who shares a card with whom is not known here.
  CHECK(made.inventory.live.gaps().size() == 1);
  CHECK(has_gap(made.inventory, "which of the 2 GPUs on a ml/x, ml/y hold is not known"));
}

TEST_CASE("pods that metrics leave out are told once for all nodes") {
  const auto pod_of = [](const char* name, const char* node, const char* id) {
    return given(make::pod(name, node, 1), {id});
  };
  Node other = shared(4, "4");
  other.name = "b";
  std::vector<Sample> samples = {make::used_by(make::card("a", 0, 0.7), {"x"}),
                                 make::used_by(make::card("a", 1, 0.7), {"v"}),
                                 make::used_by(make::card("b", 0, 0.7), {"z"})};
  const Rows made({shared(8, "4"), other},
                  {pod_of("x", "a", "GPU-a-0::1"), pod_of("y", "a", "GPU-a-0::2"),
                   pod_of("v", "a", "GPU-a-1::0"), pod_of("z", "b", "GPU-b-0::0"),
                   pod_of("w", "b", "GPU-b-0::1")},
                  samples);
  const std::vector<Gap>& gaps = made.inventory.live.gaps();
  REQUIRE(gaps.size() == 1);
  CHECK(gaps[0].what == "metrics name some of the pods that share GPUs, on 2 nodes");
  CHECK(gaps[0].why.starts_with("1 of 2 pods that share the GPUs on a, 1 of 2 pods that share"));
}

TEST_CASE("MIG slices without a utilization stand in one gap") {
  const Node node = make::node("a", 3, "nvidia.com/mig-1g.10gb");
  std::vector<Sample> samples = {make::slice("a", 0, "7", "1g.10gb", {}),
                                 make::slice("a", 0, "8", "1g.10gb", 0.01),
                                 make::slice("a", 0, "9", "1g.10gb", {})};
  const Rows some({node}, {}, samples);
  REQUIRE(some.inventory.live.gaps().size() == 1);
  const Gap& gap = some.inventory.live.gaps()[0];
  CHECK(gap.what == "2 MIG slices have metrics without a utilization");
  CHECK(gap.why == "a/0:7, a/0:9: for MIG slices only DCGM_FI_PROF_GR_ENGINE_ACTIVE reports it");
  // An exporter that knows of cards alone.
  const Rows none({node}, {}, {make::card("a", 0, {})});
  REQUIRE(none.inventory.live.gaps().size() == 1);
  CHECK(none.inventory.live.gaps()[0].what == "1 node has metrics of some GPUs only");
  CHECK(none.inventory.live.gaps()[0].why == "a: 0 of 3 MIG slices");
  samples[0].measures.utilization = samples[2].measures.utilization = 0;
  CHECK(Rows({node}, {}, samples).inventory.live.gaps().empty());
}

TEST_CASE("GKE names devices by their files") {
  const auto numbered = [](Sample sample) {
    sample.minor = sample.index;
    return sample;
  };
  const std::vector<Sample> two = {numbered(make::card("a", 0, 0.1)),
                                   numbered(make::card("a", 1, 0.2))};
  const std::vector<Pod> x = {given(make::pod("x", "a", 1), {"nvidia1"})};
  CHECK(text_of(Rows({make::node("a", 2)}, x, two).rows) == "0 free; 1 x status");
  // Files of unknown numbers, and two with one number.
  CHECK(text_of(Rows({make::node("a", 2)}, x, cards(2)).rows) == "- x status; - free");
  std::vector<Sample> twice = two;
  twice[0].minor = 1;
  CHECK(text_of(Rows({make::node("a", 2)}, x, twice).rows) == "- x status; - free");
  const std::vector<Pod> shares = {given(make::pod("x", "a", 1), {"nvidia1/vgpu0"}),
                                   given(make::pod("y", "a", 1), {"nvidia0/vgpu1"})};
  CHECK(text_of(Rows({shared(4, "2")}, shares, two).rows) ==
        "0 y status; 0 free; 1 x status; 1 free");
  const std::string resource = "nvidia.com/mig-1g.10gb";
  const auto slices = [&](const std::string& id) {
    const Rows made({make::node("a", 2, resource)},
                    {given(make::pod("x", "a", 1, resource), {id}, resource)},
                    {numbered(make::slice("a", 0, "7", "1g.10gb", 0)),
                     numbered(make::slice("a", 0, "8", "1g.10gb", 0))});
    return text_of(made.rows);
  };
  CHECK(slices("nvidia0/gi8") == "0:7 free; 0:8 x status");
  CHECK(slices("nvidia0/gi8/vgpu0") == "0:7 free; 0:8 x status");
  for (const char* id : {"nvidia1/gi8", "nvidia0/gi9", "nvidia0/gi8/other", "nvidia/gi8"}) {
    INFO(id);
    CHECK(slices(id).find("0:8 x") == std::string::npos);
  }
}

TEST_CASE("partitions of a card are named after it") {
  Node node = make::node("a", 2, "amd.com/cpx_nps4");
  std::vector<Sample> samples = {make::card("a", 3, 0.4), make::card("a", 3, 0.6)};
  for (Sample& sample : samples) {
    sample.vendor = Vendor::amd;
    sample.partition = &sample == &samples[0] ? "0" : "1";
  }
  const Rows made({node}, {make::pod("x", "a", 2, "amd.com/cpx_nps4")}, samples);
  REQUIRE(text_of(made.rows) == "3 x request; 3 x request");
  CHECK(made.rows[1].device == "3:1");
  CHECK(made.rows[1].use.utilization == 0.6);
  CHECK(made.inventory.uses[0].power_watts == 100);
}

TEST_CASE("replicas that the kubelet names stand on their card") {
  const Rows made({shared(4, "2")},
                  {given(make::pod("x", "a", 2), {"GPU-a-1::0", "GPU-a-0::1"}),
                   given(make::pod("y", "a", 1), {"GPU-a-1::1"})},
                  cards(2));
  CHECK(text_of(made.rows) == "0 x status; 0 free; 1 x status; 1 y status");
}

TEST_CASE("MIG instances join pools by profile, or by size where memory is named otherwise") {
  Node node = make::node("a", 2, "nvidia.com/mig-1g.12gb");
  node.capacity.set("nvidia.com/mig-3g.48gb", Quantity::of(1));
  node.allocatable = node.capacity;
  const std::vector<Sample> samples = {
      make::used_by(make::slice("a", 0, "9", "1g.11gb", 0.3), {"x"}),
      make::slice("a", 0, "10", "1g.11gb", 0), make::slice("a", 0, "2", "3g.48gb", 0.6)};
  const Rows made({node}, {make::pod("x", "a", 1, "nvidia.com/mig-1g.12gb")}, samples);
  REQUIRE(text_of(made.rows) == "0:9 x exporter; 0:10 free; 0:2 free");
  CHECK(made.rows[0].pool->kind.profile == "1g.12gb");
  CHECK(made.rows[0].use.utilization == 0.3);
  CHECK_FALSE(made.rows[0].use.power_watts);
  CHECK(made.rows[0].memory_bytes == std::int64_t{11} << 30);
}

TEST_CASE("a MIG instance's own UUID joins by the pod that an exporter names") {
  const Node node = make::node("a", 3, "nvidia.com/mig-1g.10gb");
  const std::string resource = "nvidia.com/mig-1g.10gb";
  const std::vector<Sample> samples = {
      make::used_by(make::slice("a", 0, "7", "1g.10gb", 0.3), {"x"}),
      make::slice("a", 0, "8", "1g.10gb", 0), make::slice("a", 0, "9", "1g.10gb", 0)};
  const Rows made({node}, {given(make::pod("x", "a", 1, resource), {"MIG-one"}, resource)},
                  samples);
  CHECK(text_of(made.rows) == "0:7 x status; 0:8 free; 0:9 free");
  CHECK(made.rows[0].device == "MIG-one");
  // Without that, the name is worth more than instances of nobody.
  std::vector<Sample> silent = samples;
  silent[0].owners.clear();
  const Rows named({node}, {given(make::pod("x", "a", 1, resource), {"MIG-one"}, resource)},
                   silent);
  CHECK(text_of(named.rows) == "- x status; - x2 free");
  const Rows old({node}, {given(make::pod("x", "a", 1, resource), {"MIG-GPU-a-0/8/0"}, resource)},
                 silent);
  CHECK(text_of(old.rows) == "0:7 free; 0:8 x status; 0:9 free");
}

TEST_CASE("cards and slices of one node do not mix") {
  Node node = make::node("a", 1);
  node.capacity.set("nvidia.com/mig-1g.6gb", Quantity::of(2));
  node.allocatable = node.capacity;
  Sample whole = make::card("a", 1, 0.4);
  whole.product = "NVIDIA RTX 2000 Ada Generation";
  const Rows made(
      {node}, {},
      {make::slice("a", 0, "6", "1g.6gb", {}), make::slice("a", 2, "3", "1g.6gb", {}), whole});
  CHECK(text_of(made.rows) == "1 free; 0:6 free; 2:3 free");
  CHECK(made.rows[0].use.utilization == 0.4);
}

TEST_CASE("cards of another maker are not the pool's") {
  Sample other = make::card("a", 0, 0.4);
  other.vendor = Vendor::amd;
  const Rows made({make::node("a", 1)}, {}, {other});
  CHECK(text_of(made.rows) == "- free");
}

TEST_CASE("one resource under two names: which cards are whose is not guessed") {
  Node node = make::node("a", 1);
  node.capacity.set("nvidia.com/gpu.shared", Quantity::of(4));
  node.allocatable = node.capacity;
  const Rows made({node}, {make::pod("x", "a", 1)}, used(cards(2), 1, {"x"}));
  CHECK(text_of(made.rows) == "1 x exporter; - x4 free");
}

TEST_CASE("a scheduler's note of the card is evidence") {
  Node node = make::node("a", 4, "aliyun.com/gpu-mem");
  node.capacity.set("aliyun.com/gpu-mem", Quantity::of(160));
  node.capacity.set("aliyun.com/gpu-count", Quantity::of(2));
  node.allocatable = node.capacity;
  Pod pod = make::pod("x", "a", 30, "aliyun.com/gpu-mem");
  pod.card_shares = {{.by = SharingStrategy::gpushare, .card = "1", .units = 30}};
  const Rows made({node}, {pod}, cards(2));
  CHECK(text_of(made.rows) == "0 x80 free; 1 x30 x annotation; 1 x50 free");
  CHECK(made.rows[1].use.utilization == 0.01);
}

}  // namespace rows_attribution_test
