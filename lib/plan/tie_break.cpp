#include "plan/tie_break.hpp"

#include <algorithm>
#include <string_view>

#include "model/gpu/gpu_resource.hpp"
#include "model/snapshot/requests.hpp"

namespace gpu::plan {
namespace {

/// Free units of what the pod requests and is a GPU; of a pod without GPUs, free CPU.
std::int64_t room_on(const scheduler::NodeState& node,
                     const std::vector<scheduler::ResourceId>& resources) {
  std::int64_t room = 0;
  for (const scheduler::ResourceId each : resources)
    room += node.allocatable[each] - node.requested[each];
  return room;
}

std::vector<scheduler::ResourceId> resources_of(const scheduler::Cluster& cluster, const Pod& pod) {
  std::vector<scheduler::ResourceId> resources;
  for (const auto& [name, amount] : effective_requests(pod))
    if (gpu_resource(name))
      if (const auto number = cluster.resource(name)) resources.push_back(*number);
  if (resources.empty())
    if (const auto cpu = cluster.resource("cpu")) resources.push_back(*cpu);
  return resources;
}

}  // namespace

TieBreak TieBreak::of_run(std::size_t run) {
  switch (run) {
    case 0:
      return TieBreak(Way::first);
    case 1:
      return TieBreak(Way::fullest);
    case 2:
      return TieBreak(Way::emptiest);
    default:
      return TieBreak(Way::random, run);
  }
}

/// SplitMix64.
std::uint64_t TieBreak::next() {
  state_ += 0x9e3779b97f4a7c15U;
  std::uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
  return mixed ^ (mixed >> 31U);
}

std::uint32_t TieBreak::pick(const scheduler::Cluster& cluster, const Pod& pod,
                             std::span<const std::uint32_t> nodes) {
  if (nodes.size() == 1 || way_ == Way::first) return nodes.front();
  if (way_ == Way::random) return nodes[next() % nodes.size()];
  const std::vector<scheduler::ResourceId> resources = resources_of(cluster, pod);
  const auto less = [&](std::uint32_t a, std::uint32_t b) {
    return room_on(cluster.nodes()[a], resources) < room_on(cluster.nodes()[b], resources);
  };
  return way_ == Way::fullest ? *std::min_element(nodes.begin(), nodes.end(), less)
                              : *std::max_element(nodes.begin(), nodes.end(), less);
}

std::vector<std::uint32_t> TieBreak::sample(std::vector<std::uint32_t> nodes, std::size_t count) {
  if (nodes.size() <= count) return nodes;
  const std::size_t start = way_ == Way::random ? next() % nodes.size() : 0;
  std::rotate(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(start), nodes.end());
  nodes.resize(count);
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

}  // namespace gpu::plan
