#include "usage/devices/duplicate_uuid.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"
#include "usage/devices/live_use.hpp"

namespace usage_one_node_test {

using namespace gpu;
using namespace gpu::usage;

namespace {

const std::optional<Time> kNow = parse_time("2026-11-01T10:00:00Z");

/// A card of node "a", as "b" tells it.
Sample strayed(std::string exporter) {
  Sample sample = make::card("a", 0, 0.01);
  sample.node = "b";
  sample.exporter = std::move(exporter);
  return sample;
}

Snapshot with(std::vector<Sample> samples, const std::vector<Pod>& pods = {}) {
  Snapshot snapshot = make::snapshot({make::node("a", 8), make::node("b", 8)}, pods);
  snapshot.samples = std::move(samples);
  return snapshot;
}

std::pair<std::size_t, std::size_t> shown(const Snapshot& snapshot) {
  const LiveUse live(snapshot, kNow);
  return {live.devices_on("a").size(), live.devices_on("b").size()};
}

constexpr std::pair<std::size_t, std::size_t> kNone{0, 0};
constexpr std::pair<std::size_t, std::size_t> kOnA{1, 0};

}  // namespace

TEST_CASE("a card that two nodes tell of is shown on neither, and a gap says so") {
  const Snapshot snapshot =
      with({make::card("a", 0, 0.9), strayed("web/x"), make::slice("a", 0, "3", "1g.10gb", 0.5)});
  const LiveUse live(snapshot, kNow);
  CHECK(live.devices_on("a").empty());
  CHECK(live.devices_on("b").empty());
  REQUIRE(live.gaps().size() == 1);
  CHECK(live.gaps()[0].what == "1 GPU is reported to be in several nodes");
  CHECK(live.gaps()[0].why == "GPU-a-0 on a, b: shown on none");
  CHECK(live.gaps()[0].nodes == std::vector<std::string>{"a", "b"});
}

TEST_CASE("the kubelet, a driver or a sharing scheduler says where a card is") {
  Pod pod = make::pod("x", "a", 1);
  pod.container_statuses = {{.name = "main", .devices = {{"nvidia.com/gpu", "GPU-a-0::3", ""}}}};
  const std::vector<Sample> samples = {make::card("a", 0, 0.9), strayed("web/x")};
  CHECK(shown(with(samples, {pod})) == kOnA);
  Snapshot published = with(samples);
  ResourceSlice slice{.driver = "gpu.nvidia.com", .node_name = "a"};
  slice.devices.push_back({.name = "gpu-0"});
  slice.devices[0].attributes.set("uuid", "GPU-a-0");
  published.slices.push_back(slice);
  CHECK(shown(published) == kOnA);
  Snapshot registered = with(samples);
  registered.nodes[0].shared_cards.push_back({.uuid = "GPU-a-0"});
  CHECK(shown(registered) == kOnA);
  registered.nodes[1].shared_cards.push_back({.uuid = "GPU-a-0"});
  CHECK(shown(registered) == kNone);
}

TEST_CASE("an exporter in a usual namespace says where a card is, and gaps name the node") {
  Sample real = make::card("a", 0, 0.9);
  real.exporter = "gpu-operator/dcgm-x";
  const Snapshot snapshot = with({real, strayed("web/x")});
  CHECK(shown(snapshot) == kOnA);
  CHECK(LiveUse(snapshot, kNow).gaps()[0].why == "GPU-a-0 on a, b: shown on a");
  CHECK(shown(with({real, strayed("kube-system/x")})) == kNone);
}

TEST_CASE("old samples of a card that moved, and other makers' UUIDs, are no contradiction") {
  Sample before = strayed("");
  before.at = *kNow - std::chrono::minutes(6);
  const LiveUse live(with({make::card("a", 0, 0.9), before}), kNow);
  CHECK(live.devices_on("a").size() == 1);
  Sample intel = make::card("a", 0, 0.9);
  Sample other = strayed("");
  intel.vendor = other.vendor = Vendor::intel;
  CHECK(shown(with({intel, other})) == std::pair<std::size_t, std::size_t>{1, 1});
}

}  // namespace usage_one_node_test
