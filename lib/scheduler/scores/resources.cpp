#include <algorithm>
#include <cmath>
#include <optional>

#include "base/quantity.hpp"
#include "model/snapshot/requests.hpp"
#include "scheduler/cluster/amounts.hpp"
#include "scheduler/cluster/rules.hpp"
#include "scheduler/scores/scorers.hpp"

namespace gpu::scheduler {
namespace {

/// leastRequestedScore().
std::int64_t least_points(std::int64_t requested, std::int64_t allocatable) {
  if (requested > allocatable) return 0;
  return static_cast<std::int64_t>(Int128{allocatable - requested} * kMostPoints / allocatable);
}

/// The share of a node that is taken; nothing where it has none of the resource.
std::optional<double> fraction(std::int64_t requested, std::int64_t allocatable) {
  if (allocatable == 0) return std::nullopt;
  return std::min(1.0, static_cast<double>(requested) / static_cast<double>(allocatable));
}

/// balancedResourceScore() of cpu and memory: 100 where both are taken to the same share.
std::int64_t balance(const std::optional<double>& cpu, const std::optional<double>& memory) {
  const double deviation = cpu && memory ? std::abs((*cpu - *memory) / 2) : 0.0;
  return static_cast<std::int64_t>((1 - deviation) * static_cast<double>(kMostPoints));
}

}  // namespace

Points least_allocated_points(const ScoredPod& scored, UsualRequests& usual) {
  const UsualAmounts pod = usual_amounts(scored.cluster, scored.pod);
  Points points;
  points.reserve(scored.nodes.size());
  for (const std::uint32_t node : scored.nodes) {
    const NodeState& state = scored.cluster.nodes()[node];
    const UsualAmounts& held = usual.of(node);
    std::int64_t sum = 0;
    std::int64_t resources = 0;
    const auto add = [&](std::int64_t requested, std::int64_t allocatable) {
      if (allocatable == 0) return;
      sum += least_points(requested, allocatable);
      ++resources;
    };
    add(capped_sum(held.cpu, pod.cpu), state.allocatable[kCpu]);
    add(capped_sum(held.memory, pod.memory), state.allocatable[kMemory]);
    points.push_back(resources == 0 ? 0 : sum / resources);
  }
  return points;
}

Points balanced_points(const ScoredPod& scored) {
  const ResourceList requests = effective_requests(scored.pod, scored.cluster.rules().requests);
  const std::int64_t cpu = compared_amount("cpu", amount_of(requests, "cpu"));
  const std::int64_t memory = compared_amount("memory", amount_of(requests, "memory"));
  Points points(scored.nodes.size());
  if (cpu == 0 && memory == 0) return points;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const NodeState& state = scored.cluster.nodes()[scored.nodes[i]];
    const auto with = [&](std::int64_t more_cpu, std::int64_t more_memory) {
      return balance(
          fraction(capped_sum(state.requested[kCpu], more_cpu), state.allocatable[kCpu]),
          fraction(capped_sum(state.requested[kMemory], more_memory), state.allocatable[kMemory]));
    };
    points[i] = with(cpu, memory);
    if (scored.cluster.rules().scores_change_of_balance)
      points[i] = kMostPoints / 2 + (kMostPoints / 2 + points[i] - with(0, 0)) / 2;
  }
  return points;
}

}  // namespace gpu::scheduler
