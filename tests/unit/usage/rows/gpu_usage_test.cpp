#include "usage/rows/gpu_usage.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"
#include "model/dra_make.hpp"

namespace rows_gpu_usage_test {

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

TEST_CASE("published devices are free, held or unavailable, each in a row of its own") {
  std::vector<Device> cards{make::card("gpu-0"), make::card("gpu-1"), make::card("gpu-2")};
  cards[0].attributes.set("index", "0");
  cards[1].attributes.set("index", "-1");
  cards[2].attributes.set("index", "2");
  cards[2].taints = {{.key = "xid", .value = "", .effect = "NoExecute"}};
  const Snapshot snapshot =
      make::dra_snapshot({make::slice("a", cards)}, {make::claim("c", "a", {"gpu-0"})});
  const Inventory inventory(snapshot);
  const auto rows = gpu_usage(inventory);
  REQUIRE(rows.size() == 3);
  const auto text_of = [](const GpuUsage& row) {
    return row.device + " " + row.uuid + " " + (row.index ? std::to_string(*row.index) : "-") +
           " " + std::string(name_of(row.health)) + " " + std::string(code_of(row.reason)) + " " +
           std::to_string(static_cast<int>(row.state == DeviceState::held)) +
           std::to_string(static_cast<int>(row.state == DeviceState::free)) + " " +
           std::to_string(row.memory_bytes.value_or(0) >> 30);
  };
  CHECK(text_of(rows[0]) == "gpu-0 GPU-gpu-0 0   10 80");
  CHECK(text_of(rows[1]) == "gpu-2 GPU-gpu-2 2 tainted device-tainted 00 80");
  CHECK(text_of(rows[2]) == "gpu-1 GPU-gpu-1 -   01 80");
}

TEST_CASE("a device that two claims hold by mistake is one row, which names both") {
  const Snapshot snapshot =
      make::dra_snapshot({make::slice("a", {make::card("gpu-0")})},
                         {make::claim("c", "a", {"gpu-0"}), make::claim("d", "a", {"gpu-0"})});
  const Inventory inventory(snapshot);
  const auto rows = gpu_usage(inventory);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].units == 1);
  CHECK(rows[0].claims == std::vector<std::string>{"ml/c", "ml/d"});
}

TEST_CASE("claims that share a device: its use once, then each pod's own") {
  Device shared = make::card("a-0");
  shared.allow_multiple = true;
  shared.default_request.set("memory", *Quantity::parse("40Gi"));
  std::vector<ResourceClaim> claims;
  std::vector<Pod> pods;
  for (const char* name : {"x", "y"}) {
    claims.push_back(make::claim(name, "a", {"a-0"}));
    claims.back().reserved_for.push_back({name, name});
    claims.back().devices.front().share_id = name;
    claims.back().devices.front().consumed.set("memory", *Quantity::parse("40Gi"));
    pods.push_back(make::pod(name, "a", 0));
    pods.back().uid = name;
    pods.back().claim_references = 1;
  }
  Snapshot snapshot = make::dra_snapshot({make::slice("a", {shared})}, claims);
  snapshot.pods = pods;
  snapshot.samples = {make::used_by(make::card("a", 0, 0.7), {"x", "y"})};
  snapshot.samples[0].owners[0].own.utilization = 0.5;
  snapshot.samples[0].owners[1].own.utilization = 0.2;
  const Inventory inventory(snapshot);
  const auto rows = gpu_usage(inventory);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].is_of_whole_device);
  CHECK(rows[0].use.utilization == 0.7);
  CHECK_FALSE(rows[1].is_of_whole_device);
  CHECK(rows[1].use.utilization == 0.2);
}

TEST_CASE("a device has its use and the health that its pod's status tells") {
  Snapshot snapshot = make::snapshot(
      {make::node("a", 4)},
      {with_devices(make::pod("x", "a", 1),
                    {{.name = "nvidia.com/gpu", .id = "GPU-a-0", .health = "Unknown"}})});
  snapshot.samples = {make::card("a", 0, 0.9), make::card("a", 1, 0.04), make::card("a", 2, 0.05),
                      make::card("a", 3, 0.04)};
  snapshot.samples[3].measures.memory_used_bytes = (std::int64_t{1} << 30) + 1;
  const Inventory inventory(snapshot);
  const auto rows = gpu_usage(inventory);
  REQUIRE(rows.size() == 4);
  std::vector<bool> unmanaged;
  for (const GpuUsage& row : rows) unmanaged.push_back(row.is_unmanaged);
  CHECK(unmanaged == std::vector<bool>{false, false, true, true});
  CHECK(rows[0].state == DeviceState::held);
  CHECK(rows[0].health == Health::unknown);
  CHECK(rows[0].use.utilization == 0.9);
  CHECK_FALSE(rows[0].is_of_whole_device);
  CHECK(rows[1].use.memory_total_bytes == std::int64_t{80} << 30);
}

TEST_CASE("a pod's container is the one that the kubelet, or its requests, tell") {
  Pod two = make::pod("x", "a", 1);
  two.containers.push_back({.name = "side"});
  const auto container = [](const Pod& pod) {
    const Snapshot snapshot = make::snapshot({make::node("a", 4)}, {pod});
    const Inventory inventory(snapshot);
    return gpu_usage(inventory).at(0).pods.at(0).container;
  };
  CHECK(container(two) == "main");
  two.containers[1].requests.set("nvidia.com/gpu", Quantity::of(1));
  CHECK(container(two).empty());
  two.containers[1].requests.set("nvidia.com/gpu", Quantity::of(0));
  CHECK(container(two) == "main");
  two.containers[1].requests = {};
  two.containers[1].limits.set("nvidia.com/gpu", Quantity::of(1));
  CHECK(container(two).empty());
}

}  // namespace rows_gpu_usage_test
