#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>
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
    made.slice_coverage = made.claim_coverage = Coverage::whole;
    for (const Node& node : made.nodes)
      if (below(3) == 0) add_slice(made, node.name);
    return made;
  }

  /// Who has which units of a device, by NODE/UUID[:INSTANCE]: pods, each as often as it has one.
  using Truth = std::map<std::string, std::vector<std::string>>;

  /// Telemetry of whole cards, shared cards and MIG instances of the nodes, which may lack devices,
  /// measures and owners, and says nothing that is wrong.
  Truth add_samples(Snapshot& snapshot) {
    Truth truth;
    for (const Node& node : snapshot.nodes)
      for (const auto& [resource, amount] : node.capacity) {
        if (!resource.starts_with("nvidia.com/") || below(5) == 0) continue;
        add_samples(snapshot, node, resource, truth);
      }
    return truth;
  }

 private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint32_t>(limit)); }

  Node some_node(std::string name) {
    static const std::vector<std::pair<std::string, std::int64_t>> kResources = {
        {"nvidia.com/gpu", 8}, {"nvidia.com/mig-1g.10gb", 7}, {"nvidia.com/gpu.shared", 12},
        {"amd.com/gpu", 4},    {"google.com/tpu", 4},         {"aws.amazon.com/neuroncore", 4}};
    const auto& [resource, most] = kResources[static_cast<std::size_t>(below(6))];
    // A small node is full now and then.
    const std::int64_t units = below(3) == 0 ? (most == 12 ? 4 : 2) : most;
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
                                .id = uuid_of(pod, i),
                                .health = below(4) == 0 ? "Unhealthy" : "Healthy"});
    pod.container_statuses.push_back(std::move(status));
  }

  static std::string uuid_of(const Pod& pod, std::int64_t unit) {
    return "GPU-" + pod.name + "-" + std::to_string(unit);
  }

  /// As the kubelet calls a slice, or a replica of a card.
  static void rename_device(Pod& pod, std::int64_t unit, const std::string& name) {
    for (ContainerResourceStatus& status : pod.container_statuses)
      for (AllocatedResource& device : status.devices)
        if (device.id == uuid_of(pod, unit)) device.id = name;
  }

  void add_samples(Snapshot& snapshot, const Node& node, const std::string& resource,
                   Truth& truth) {
    const bool is_slice = resource.find("mig-") != std::string::npos;
    const std::int64_t each = resource.ends_with(".shared") ? 4 : 1;
    const std::int64_t devices = amount_of(node.capacity, resource).value() / each;
    // Units in some order, each on a device.
    std::vector<std::string> units;
    std::vector<std::string> names;
    for (Pod& pod : snapshot.pods) {
      if (pod.node_name != node.name) continue;
      const std::int64_t held = amount_of(pod.containers.front().requests, resource).value();
      for (std::int64_t unit = 0; unit < held; ++unit) {
        const std::string card = "GPU-" + node.name + "-" +
                                 std::to_string(static_cast<std::int64_t>(units.size()) / each);
        if (is_slice) rename_device(pod, unit, "MIG-" + uuid_of(pod, unit).substr(4));
        if (each > 1) rename_device(pod, unit, card + "::" + std::to_string(units.size()));
        units.push_back(pod.name);
        names.push_back(uuid_of(pod, unit));
      }
    }
    const int seen = below(4);   // 0: a device or two are missing
    const int talks = below(3);  // 0: no owners, 1: some, 2: all
    for (std::int64_t i = 0; i < devices; ++i) {
      Sample sample = is_slice ? slice(node.name, 0, std::to_string(i + 7), "1g.10gb", 0.5)
                               : card(node.name, i, 0.5);
      const auto first = static_cast<std::size_t>(i * each);
      // The kubelet calls a card by the name that telemetry has for it.
      if (each == 1 && !is_slice && first < names.size()) sample.uuid = names[first];
      std::vector<std::string>& here = truth[key_of(sample)];
      for (std::size_t unit = first; unit < first + static_cast<std::size_t>(each); ++unit)
        if (unit < units.size()) here.push_back(units[unit]);
      if (seen == 0 && below(4) == 0) continue;
      std::set<std::string> told;
      for (const std::string& pod : here)
        if (talks == 2 || (talks == 1 && below(2) == 0)) told.insert(pod);
      for (const std::string& name : told)
        for (const Pod& pod : snapshot.pods)
          if (pod.name == name) sample.owners.push_back({.ns = pod.ns, .pod = name});
      if (below(8) == 0) sample.measures.utilization.reset();
      snapshot.samples.push_back(std::move(sample));
    }
    std::shuffle(snapshot.samples.begin(), snapshot.samples.end(), random_);
  }

 public:
  static std::string key_of(const Sample& sample) {
    return sample.node + "/" + sample.uuid + ":" + sample.mig_instance;
  }

 private:
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
