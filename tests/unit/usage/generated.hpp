#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "make.hpp"

/// Small clusters of every kind of GPU, the same for the same seed.
namespace gpu::make {

class Generated {
 public:
  explicit Generated(std::uint32_t seed) : random_(seed) {}

  Snapshot snapshot() {
    std::vector<Node> nodes;
    std::vector<Pod> pods;
    const int count = below(6) + 1;
    for (int i = 0; i < count; ++i) {
      nodes.push_back(some_node("n" + std::to_string(i)));
      const int most = below(5);
      for (int j = 0; j < most; ++j)
        add_pod(pods, nodes.back(), std::to_string(i) + "-" + std::to_string(j));
    }
    Snapshot made = make::snapshot(std::move(nodes), pods);
    made.slice_sight = made.claim_sight = Sight::whole;
    for (const Node& node : made.nodes)
      if (below(3) == 0) add_slice(made, node.name);
    return made;
  }

 private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint32_t>(limit)); }

  Node some_node(std::string name) {
    static const std::vector<std::pair<std::string, std::int64_t>> kResources = {
        {"nvidia.com/gpu", 8}, {"nvidia.com/mig-1g.10gb", 7}, {"nvidia.com/gpu.shared", 12},
        {"amd.com/gpu", 4},    {"google.com/tpu", 4},         {"aws.amazon.com/neuroncore", 4}};
    const auto& [resource, units] = kResources[static_cast<std::size_t>(below(6))];
    Node made = node(std::move(name), units, resource);
    if (resource.starts_with("nvidia.com/gpu")) {
      made.labels.set("nvidia.com/gpu.product", below(2) == 0 ? "NVIDIA-L4" : "Tesla-T4");
      if (resource.ends_with(".shared")) made.labels.set("nvidia.com/gpu.replicas", "4");
    }
    if (below(4) == 0) made.unschedulable = true;
    if (below(4) == 0) made.allocatable.set(resource, Quantity::of(units - 1));
    return made;
  }

  void add_pod(std::vector<Pod>& pods, const Node& node, const std::string& name) {
    for (const auto& [resource, amount] : node.capacity) {
      if (resource == "pods") continue;
      Pod made = pod("p" + name, node.name, below(3), resource);
      made.ns = below(2) == 0 ? "ml" : "web";
      if (below(3) == 0) give_devices(made, resource);
      if (below(3) == 0)
        made.owners.push_back({.kind = "ReplicaSet",
                               .name = "rs",
                               .uid = "u-rs",
                               .api_version = "apps/v1",
                               .controller = true});
      pods.push_back(std::move(made));
    }
  }

  /// The kubelet says which; now and then it names too few.
  void give_devices(Pod& pod, const std::string& resource) {
    ContainerResourceStatus status{.name = "main"};
    const std::int64_t units = amount_of(pod.containers.front().requests, resource).value();
    for (std::int64_t i = 0; i < units - below(2); ++i)
      status.devices.push_back({.name = resource,
                                .id = "GPU-" + pod.name + "-" + std::to_string(i),
                                .health = below(4) == 0 ? "Unhealthy" : "Healthy"});
    pod.container_statuses.push_back(std::move(status));
  }

  /// Four cards, some tainted, some shared, some held by a claim of no pod, of one, or of two.
  void add_slice(Snapshot& snapshot, const std::string& node) {
    ResourceSlice slice{.name = node, .driver = "gpu.nvidia.com", .pool = node, .generation = 1};
    slice.slice_count = 1;
    slice.node_name = node;
    const bool is_shared = below(3) == 0;
    for (int i = 0; i < 4; ++i) {
      Device device{.name = "gpu-" + std::to_string(i)};
      device.attributes = {{"type", "gpu"}, {"index", std::to_string(i)}};
      device.capacity.set("memory", Quantity::of(80));
      device.allow_multiple = is_shared;
      if (is_shared) device.default_request.set("memory", Quantity::of(20));
      if (below(4) == 0) device.taints.push_back({"sick", "", "NoSchedule"});
      if (below(2) == 0) add_claim(snapshot, node, device.name, is_shared);
      slice.devices.push_back(std::move(device));
    }
    snapshot.slices.push_back(std::move(slice));
  }

  void add_claim(Snapshot& snapshot, const std::string& node, const std::string& device,
                 bool is_shared) {
    ResourceClaim claim{.ns = "ml", .name = node + "-" + device, .is_allocated = true};
    claim.uid = claim.name;
    AllocatedDevice held{.id = {"gpu.nvidia.com", node, device}, .request = "gpu"};
    if (is_shared) {
      held.share_id = "a";
      held.consumed.set("memory", Quantity::of(20));
    }
    claim.devices.push_back(held);
    const auto users = static_cast<std::size_t>(below(3));
    for (Pod& pod : snapshot.pods) {
      if (pod.ns != "ml" || pod.node_name != node || claim.reserved_for.size() >= users) continue;
      pod.uid = pod.name;
      pod.claims.push_back(claim.name);
      claim.reserved_for.push_back({.name = pod.name, .uid = pod.uid});
    }
    snapshot.claims.push_back(std::move(claim));
  }

  std::mt19937 random_;
};

}  // namespace gpu::make
