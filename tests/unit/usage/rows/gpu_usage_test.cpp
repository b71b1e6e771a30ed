#include "usage/rows/gpu_usage.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"

using namespace gpu;
using namespace gpu::usage;

namespace {

Pod with_devices(Pod pod, const std::vector<AllocatedResource>& devices) {
  pod.container_statuses.push_back({.name = "main", .devices = devices});
  return pod;
}

}  // namespace

TEST_CASE("a device that the kubelet names has a row of its own") {
  Node node = make::node("a", 4);
  node.labels = {{"nvidia.com/gpu.product", "NVIDIA-L4"}, {"nvidia.com/gpu.memory", "23034"}};
  const Snapshot snapshot = make::snapshot(
      {node}, {with_devices(make::pod("x", "a", 2),
                            {{.name = "nvidia.com/gpu", .id = "GPU-b", .health = "Unhealthy"},
                             {.name = "nvidia.com/gpu", .id = "GPU-a", .health = "Healthy"}})});
  const Inventory inventory(snapshot);
  const auto rows = gpu_usage(inventory);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].uuid == "GPU-a");
  CHECK(rows[0].health == Health::ok);
  CHECK(rows[0].evidence == Evidence::status);
  CHECK(rows[0].memory_bytes == 23034LL << 20);
  REQUIRE(rows[0].pods.size() == 1);
  CHECK(rows[0].pods[0].container == "main");
  CHECK(rows[1].health == Health::unhealthy);
  CHECK(rows[2].state == DeviceState::free);
  CHECK(rows[2].units == 2);
  CHECK(rows[2].device.empty());
  CHECK_FALSE(rows[2].evidence);
}

TEST_CASE("a pod whose devices nobody names holds a number of them") {
  const Snapshot snapshot = make::snapshot({make::node("a", 4)}, {make::pod("x", "a", 3)});
  const Inventory inventory(snapshot);
  const auto rows = gpu_usage(inventory);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].units == 3);
  CHECK(rows[0].state == DeviceState::held);
  CHECK(rows[0].evidence == Evidence::request);
  CHECK(rows[0].uuid.empty());
  CHECK_FALSE(rows[0].index);
  CHECK(rows[0].health == Health::unknown);
}

TEST_CASE("a replica of a time-sliced card knows its card, and no memory of its own") {
  Node node = make::node("a", 4);
  node.labels = {{"nvidia.com/gpu.product", "Tesla-T4-SHARED"},
                 {"nvidia.com/gpu.memory", "15360"},
                 {"nvidia.com/gpu.replicas", "4"}};
  const Snapshot snapshot = make::snapshot(
      {node},
      {with_devices(make::pod("x", "a", 1), {{.name = "nvidia.com/gpu", .id = "GPU-a::2"}})});
  const Inventory inventory(snapshot);
  const auto rows = gpu_usage(inventory);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].uuid == "GPU-a");
  CHECK(rows[0].device == "GPU-a::2");
  CHECK_FALSE(rows[0].memory_bytes);
}

TEST_CASE("units of a cordoned node say why they cannot be had") {
  Node node = make::node("a", 2);
  node.unschedulable = true;
  const Snapshot snapshot = make::snapshot({node}, {});
  const Inventory inventory(snapshot);
  const auto rows = gpu_usage(inventory);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].state == DeviceState::unavailable);
  CHECK(rows[0].reason == Unavailable::cordoned);
  CHECK(rows[0].units == 2);
}

TEST_CASE("a DRA device without a model stands in the pool that labels gave one") {
  Node node = make::node("a", 0);
  node.labels = {{"nvidia.com/gpu.product", "NVIDIA-L4"}, {"nvidia.com/gpu.count", "2"}};
  Snapshot snapshot = make::snapshot({node}, {});
  snapshot.slice_coverage = snapshot.claim_coverage = Coverage::whole;
  ResourceSlice slice{.name = "a", .driver = "gpu.nvidia.com", .pool = "a", .generation = 1};
  slice.slice_count = 1;
  slice.node_name = "a";
  slice.devices = {{.name = "gpu-0"}, {.name = "gpu-1"}};
  snapshot.slices.push_back(slice);
  ResourceClaim claim{.ns = "ml", .name = "c", .uid = "c", .is_allocated = true};
  claim.devices.push_back({.id = {"gpu.nvidia.com", "a", "gpu-1"}, .request = "gpu"});
  snapshot.claims.push_back(claim);
  const Inventory inventory(snapshot);
  const auto rows = gpu_usage(inventory);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].device == "gpu-0");
  CHECK(rows[0].state == DeviceState::free);
  CHECK(rows[1].device == "gpu-1");
  CHECK(rows[1].state == DeviceState::held);
  CHECK(rows[1].claims == std::vector<std::string>{"ml/c"});
  CHECK(rows[1].pool->model == "L4-24G");
}
