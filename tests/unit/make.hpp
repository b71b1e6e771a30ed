#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/gpu/sample.hpp"
#include "model/objects/node.hpp"
#include "model/objects/pod.hpp"
#include "model/snapshot/snapshot.hpp"

/// Builds small clusters, so that a test is six lines.
namespace gpu::make {

inline Node node(std::string name, std::int64_t gpus,
                 std::string_view resource = "nvidia.com/gpu") {
  Node node{.name = std::move(name)};
  node.capacity.set("pods", Quantity::of(110));
  if (gpus > 0) node.capacity.set(resource, Quantity::of(gpus));
  node.allocatable = node.capacity;
  node.conditions.push_back({.type = "Ready", .status = "True"});
  return node;
}

inline Pod pod(std::string name, std::string node_name, std::int64_t gpus,
               std::string_view resource = "nvidia.com/gpu") {
  Pod pod{.ns = "ml", .name = std::move(name), .node_name = std::move(node_name)};
  pod.phase = pod.node_name.empty() ? "Pending" : "Running";
  Container container{.name = "main"};
  if (gpus > 0) container.requests.set(resource, Quantity::of(gpus));
  pod.containers.push_back(std::move(container));
  return pod;
}

/// Everything seen, pods kept.
inline Snapshot snapshot(std::vector<Node> nodes, const std::vector<Pod>& pods) {
  Snapshot result{.node_coverage = Coverage::whole, .pod_coverage = Coverage::whole};
  result.waiting.emplace();
  Fold fold(result, [](const Pod&) { return true; });
  for (Node& node : nodes) fold.add(std::move(node));
  for (const Pod& pod : pods) fold.add(pod);
  fold.finish();
  return result;
}

/// What an exporter tells of a whole card: "GPU-NODE-INDEX", of 80 GiB.
inline Sample card(const std::string& node, std::int64_t index, std::optional<double> utilization) {
  Sample made{.node = node, .index = index};
  made.uuid = "GPU-" + node + "-" + std::to_string(index);
  made.measures.utilization = utilization;
  made.measures.memory_used_bytes = std::int64_t{1} << 30;
  made.measures.memory_total_bytes = std::int64_t{80} << 30;
  made.measures.power_watts = 100;
  return made;
}

/// What an exporter tells of a MIG instance of that card.
inline Sample slice(const std::string& node, std::int64_t index, std::string instance,
                    std::string profile, std::optional<double> utilization) {
  Sample made = card(node, index, utilization);
  made.mig_instance = std::move(instance);
  made.profile = std::move(profile);
  made.measures.kind = UtilizationKind::engine_active;
  made.measures.memory_total_bytes.reset();
  return made;
}

/// `sample`, which says that pods of "ml" use the device.
inline Sample used_by(Sample sample, const std::vector<std::string>& pods) {
  for (const std::string& pod : pods) sample.owners.push_back({.ns = "ml", .pod = pod});
  return sample;
}

}  // namespace gpu::make
