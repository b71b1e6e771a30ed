#include "model/dra/dra_silence.hpp"

#include <catch2/catch.hpp>

#include "model/dra_make.hpp"
#include "model/holdings/pools.hpp"

namespace dra_dra_silence_test {

using namespace gpu;

namespace {

/// A node with one card by its labels, of which nobody advertises any.
Node labelled() {
  Node node = make::node("a", 0);
  node.labels = {{"nvidia.com/gpu.count", "1"}, {"nvidia.com/gpu.product", "NVIDIA-H200"}};
  return node;
}

DeviceClass gpu_class() {
  return {.name = "h200", .selectors = {"device.driver == 'gpu.nvidia.com'"}};
}

Snapshot silent(std::vector<Node> nodes) {
  Snapshot snapshot = make::snapshot(std::move(nodes), {});
  snapshot.slice_coverage = snapshot.claim_coverage = Coverage::whole;
  return snapshot;
}

Pool first_pool(const Snapshot& snapshot) {
  const auto pools = pools_of(snapshot);
  REQUIRE_FALSE(pools.empty());
  return pools.front();
}

}  // namespace

TEST_CASE("GPUs whose DRA driver publishes nothing are DRA's, not a plugin's") {
  Snapshot snapshot = silent({labelled()});
  CHECK(first_pool(snapshot).reason == Unavailable::device_plugin_missing);
  snapshot.device_classes = {gpu_class()};
  const Pool pool = first_pool(snapshot);
  CHECK(pool.reason == Unavailable::pool_incomplete);
  CHECK(pool.total == 1);
  CHECK(pool.free == 0);
  CHECK(pool.unavailable == 1);
}

TEST_CASE("where other nodes have a device plugin, a class alone does not say whose a node is") {
  Snapshot snapshot = silent({labelled(), make::node("b", 8)});
  snapshot.device_classes = {gpu_class()};
  CHECK(first_pool(snapshot).reason == Unavailable::device_plugin_missing);
  SECTION("a label does") {
    snapshot.nodes[0].labels.set("gke-no-default-nvidia-gpu-device-plugin", "true");
    CHECK(first_pool(snapshot).reason == Unavailable::pool_incomplete);
  }
  SECTION("a claim that holds a device of the node does, and goes on holding it") {
    ResourceClaim claim{.ns = "ml", .name = "c", .is_allocated = true};
    claim.devices = {{.id = {"gpu.nvidia.com", "a", "gpu-0"}}};
    snapshot.claims = {claim};
    const Pool pool = first_pool(snapshot);
    CHECK(pool.reason == Unavailable::pool_incomplete);
    CHECK(pool.allocated == 1);
    CHECK(pool.unavailable == 0);
  }
}

TEST_CASE("classes of ComputeDomains are no sign of GPUs by DRA") {
  Snapshot snapshot = silent({labelled()});
  snapshot.device_classes = {{.name = "compute-domain-daemon.nvidia.com",
                              .selectors = {"device.driver == 'compute-domain.nvidia.com'"}}};
  CHECK(makers_by_dra(snapshot).empty());
}

}  // namespace dra_dra_silence_test
