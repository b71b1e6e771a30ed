#include "model/dra/dra_overlap.hpp"
#include "model/holdings/pools.hpp"

#include <catch2/catch.hpp>

#include "model/dra_make.hpp"

namespace dra_dra_overlap_test {

using namespace gpu;

namespace {

/// A node with so many cards of the plugin and of DRA.
Snapshot both(std::int64_t by_plugin, int by_dra, StringMap labels) {
  Node node = make::node("a", by_plugin);
  node.labels = std::move(labels);
  Snapshot snapshot = make::snapshot({node}, {});
  std::vector<Device> devices;
  for (int index = 0; index < by_dra; ++index)
    devices.push_back(make::card("gpu-" + std::to_string(index)));
  snapshot.slices = {make::slice("a", devices)};
  snapshot.slice_coverage = snapshot.claim_coverage = Coverage::whole;
  return snapshot;
}

/// "RESOURCE" or "RESOURCE again", one after the other.
std::string views(const Snapshot& snapshot) {
  std::string text;
  for (const Pool& pool : pools_of(snapshot))
    text.append(text.empty() ? "" : ", ")
        .append(pool.resource)
        .append(pool.is_second_view ? " again" : "");
  return text;
}

std::string warnings(const Snapshot& snapshot) {
  std::string text;
  for (const Gap& gap : DraInventory(snapshot).gaps()) text += gap.what;
  return text;
}

}  // namespace

TEST_CASE("what labels promise and DRA publishes is DRA's") {
  Snapshot snapshot = both(0, 2,
                           {{"nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3"},
                            {"nvidia.com/gpu.count", "2"},
                            {"nvidia.com/cuda.driver-version.full", "570.86.15"}});
  snapshot.slices[0].devices[0].attributes.set("productName", "");
  snapshot.slices[0].devices[1].attributes.set("productName", "");
  const std::vector<Pool> pools = pools_of(snapshot);
  REQUIRE(pools.size() == 1);
  CHECK(pools[0].resource == "gpu.nvidia.com");
  CHECK(pools[0].product == "NVIDIA-H100-80GB-HBM3");
  CHECK(pools[0].model == "H100-80G");
  CHECK(pools[0].driver == "570.86.15");
  CHECK(pools[0].free == 2);
  CHECK(warnings(snapshot).empty());
}

TEST_CASE("labels of another maker stay what they are") {
  CHECK(views(both(0, 2, {{"amd.com/gpu.product-name", "AMD_Instinct_MI300X_OAM"}})) ==
        "amd.com/gpu, gpu.nvidia.com");
}

TEST_CASE("a plugin that is gone leaves its capacity, not its cards") {
  Snapshot snapshot = both(2, 2, {});
  snapshot.nodes[0].allocatable.set("nvidia.com/gpu", Quantity::of(0));
  CHECK(views(snapshot) == "gpu.nvidia.com");
  CHECK(warnings(snapshot).empty());
}

TEST_CASE("the same cards from a plugin and from DRA count once") {
  SECTION("as the label counts them") {
    const Snapshot snapshot =
        both(8, 8, {{"nvidia.com/gpu.count", "8"}, {"nvidia.com/gpu.present", "true"}});
    CHECK(views(snapshot) == "gpu.nvidia.com again, nvidia.com/gpu");
    CHECK(warnings(snapshot) ==
          "node a hands out the same 8 cards twice: by a device plugin and by DRA");
  }
  SECTION("DRA has a part of them") {
    const Snapshot snapshot =
        both(8, 3, {{"nvidia.com/gpu.count", "8"}, {"nvidia.com/gpu.present", "true"}});
    CHECK(views(snapshot) == "gpu.nvidia.com again, nvidia.com/gpu");
    CHECK(warnings(snapshot) ==
          "node a hands out the same 3 cards twice: by a device plugin and by DRA");
  }
  SECTION("the plugin has a part of them") {
    CHECK(views(both(1, 8, {{"nvidia.com/gpu.count", "8"}, {"nvidia.com/gpu.present", "true"}})) ==
          "gpu.nvidia.com, nvidia.com/gpu again");
  }
  SECTION("without a label a plugin has all cards") {
    CHECK(views(both(2, 2, {})) == "gpu.nvidia.com again, nvidia.com/gpu");
    CHECK(warnings(both(1, 1, {})) ==
          "node a hands out the same card twice: by a device plugin and by DRA");
  }
}

TEST_CASE("cards that are split between a plugin and DRA count in both") {
  const Snapshot snapshot =
      both(6, 2, {{"nvidia.com/gpu.count", "8"}, {"nvidia.com/gpu.present", "true"}});
  CHECK(views(snapshot) == "gpu.nvidia.com, nvidia.com/gpu");
  CHECK(warnings(snapshot).empty());
}

TEST_CASE("a driver that publishes no device leaves unknown what labels promise") {
  const Snapshot snapshot =
      both(0, 0, {{"nvidia.com/gpu.count", "8"}, {"nvidia.com/gpu.present", "true"}});
  const std::vector<Pool> pools = pools_of(snapshot);
  REQUIRE(pools.size() == 1);
  CHECK(pools[0].reason == Unavailable::managed_by_dra);
  CHECK(pools[0].total == 8);
  CHECK_FALSE(pools[0].free);
}

}  // namespace dra_dra_overlap_test
