#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "model/node.hpp"
#include "model/pod.hpp"
#include "model/snapshot.hpp"

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
  Snapshot result{.node_sight = Sight::whole, .pod_sight = Sight::whole};
  result.waiting.emplace();
  Fold fold(result, [](const Pod&) { return true; });
  for (Node& node : nodes) fold.add(std::move(node));
  for (const Pod& pod : pods) fold.add(pod);
  fold.finish();
  return result;
}

}  // namespace gpu::make
