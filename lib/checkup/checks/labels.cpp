#include <fmt/format.h>

#include <algorithm>

#include "base/quantity.hpp"
#include "checkup/checks/check.hpp"
#include "checkup/checks/stack_part.hpp"
#include "model/snapshot/kai.hpp"

namespace gpu::checkup {
namespace {

using diagnose::StackFault;

constexpr std::string_view kProduct = "nvidia.com/gpu.product";
constexpr std::string_view kMemory = "nvidia.com/gpu.memory";
constexpr std::string_view kCount = "nvidia.com/gpu.count";
constexpr std::string_view kStrategy = "nvidia.com/mig.strategy";
constexpr std::string_view kLook = "kubectl get pods -A -l app=gpu-feature-discovery -o wide";

bool has(const Node& node, std::string_view label) { return node.labels.contains(label); }

/// GPU feature discovery labels nodes here, be it by hand.
bool are_labelled(const CheckContext& context) {
  return std::any_of(context.nodes.begin(), context.nodes.end(),
                     [](const GpuNode& node) { return has(node.node(), kProduct); });
}

/// KAI and Run:ai count parts of a card by the label of its memory.
bool asks_for_memory(const CheckContext& context) {
  const auto& pods = context.snapshot.pods;
  return std::any_of(pods.begin(), pods.end(), [](const Pod& pod) {
    return is_of_kai(pod) && pod.annotations.contains("gpu-memory");
  });
}

bool has_slices_of_own_name(const GpuNode& node) {
  return std::any_of(node.pools.begin(), node.pools.end(), [](const Pool* pool) {
    return pool->source == PoolSource::device_plugin && pool->kind.kind == DeviceKind::mig_slice &&
           pool->capacity > 0;
  });
}

void look_for_missing(const CheckContext& context, const GpuNode& node, NodeResults& missing) {
  const auto add = [&](std::string_view label, std::string_view consequence) {
    missing.add(node.node(), fmt::format("has no label {}, so {}", label, consequence),
                StackFault::Reads::behind_name, "GPU feature discovery sets it",
                std::string(kLook));
  };
  if (!has(node.node(), kProduct)) {
    if (are_labelled(context)) add(kProduct, "pods that select a model pass it by");
    return;
  }
  if (!has(node.node(), kMemory) && asks_for_memory(context))
    add(kMemory, "KAI cannot place pods there that request GPU memory");
  if (has_slices_of_own_name(node) && !has(node.node(), kStrategy))
    add(kStrategy, "`gen` cannot choose its slices");
}

/// More units than labels tell: the labels are of a time before.
void look_for_drift(const GpuNode& node, NodeResults& drift) {
  if (!node.labels || !node.labels->count || !node.labels->single_mig_profile.empty()) return;
  for (const Pool* pool : node.pools) {
    if (pool->source != PoolSource::device_plugin || pool->kind.kind != DeviceKind::card ||
        pool->is_second_view || pool->capacity == 0 || pool->kind.is_memory)
      continue;
    const std::int64_t told = capped_product(
        *node.labels->count, std::max<std::int64_t>(node.labels->sharing.replicas.value_or(1), 1));
    if (pool->capacity <= told || pool->sharing.strategy == SharingStrategy::hami ||
        pool->sharing.strategy == SharingStrategy::volcano)
      continue;
    drift.add(node.node(),
              fmt::format("has {} {}, and its labels show {} ({}={})", pool->capacity,
                          pool->resource, told, kCount, *node.labels->count),
              StackFault::Reads::behind_name,
              "restart the pod of GPU feature discovery there, which sets the labels again",
              std::string(kLook));
  }
}

}  // namespace

CheckResults check_labels(const CheckContext& context) {
  NodeResults missing(CheckState::warning);
  NodeResults drift(CheckState::warning);
  for (const GpuNode& node : context.nodes) {
    if (node.vendor != Vendor::nvidia) continue;
    look_for_missing(context, node, missing);
    look_for_drift(node, drift);
  }
  CheckResults results;
  missing.append_to(results);
  drift.append_to(results);
  if (!results.empty()) return results;
  if (!are_labelled(context))
    return {{.state = CheckState::skipped, .says = "no node has labels of GPU feature discovery"}};
  return {{.says = "the GPU labels of nodes match what the nodes advertise"}};
}

}  // namespace gpu::checkup
