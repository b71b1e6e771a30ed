#include <fmt/format.h>

#include <algorithm>

#include "base/phrase.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"
#include "base/time.hpp"
#include "checkup/checks/check.hpp"
#include "checkup/checks/stack_part.hpp"
#include "model/objects/selector_text.hpp"
#include "model/pools/toleration.hpp"

namespace gpu::checkup {
namespace {

constexpr std::string_view kCordon = "node.kubernetes.io/unschedulable";

std::int64_t gpus_of(const GpuNode& node) {
  std::int64_t gpus = 0;
  for (const Pool* pool : node.pools)
    if (!pool->is_second_view && !pool->kind.is_memory)
      gpus = capped_sum(gpus, pool->total.value_or(0));
  return gpus;
}

/// Since when a node is cordoned or not ready; nothing where that is not told.
std::optional<Time> closed_since(const Node& node) {
  if (!is_ready(node)) {
    const Condition* const ready = condition_of(node.conditions, "Ready");
    return ready == nullptr ? std::nullopt : ready->last_transition;
  }
  for (const Taint& taint : node.taints)
    if (taint.key == kCordon) return taint.added;
  return std::nullopt;
}

/// A taint of the node's life beside a cordon, for which it takes no pods; null: none.
const Taint* closing_taint(const Node& node) {
  for (const Taint& taint : node.taints)
    if (taint.effect != "PreferNoSchedule" && taint.key != kCordon &&
        lifecycle_of(taint) != Unavailable::none)
      return &taint;
  return nullptr;
}

bool is_closed(const Node& node) {
  return node.unschedulable || !is_ready(node) || closing_taint(node) != nullptr;
}

std::string closed_text(const Node& node) {
  if (!is_ready(node)) return "is not ready";
  if (node.unschedulable) return "is cordoned";
  return "takes no pods (" + text_of(*closing_taint(node)) + ")";
}

std::string state_text(const CheckContext& context, const GpuNode& node) {
  std::string text = closed_text(node.node());
  const auto since = closed_since(node.node());
  if (since && context.surroundings.now && *context.surroundings.now > *since)
    text += " for " + human_duration(*context.surroundings.now - *since);
  return text;
}

std::string waiting_text(const WaitingSums& waiting) {
  return counted(waiting.pods, "pod waits", "pods wait") + " for " + counted(waiting.gpus, "GPU");
}

}  // namespace

CheckResults check_cordoned(const CheckContext& context) {
  std::vector<const GpuNode*> closed;
  for (const GpuNode& node : context.nodes)
    if (is_closed(node.node())) closed.push_back(&node);
  if (closed.empty()) return {{.says = "every node with GPUs is ready and open"}};
  const auto& waiting = context.snapshot.waiting;
  const bool do_pods_wait = waiting && waiting->pods > 0;
  CheckResults results;
  NodeResults found(do_pods_wait ? CheckState::warning : CheckState::ok);
  NodeResults lost(CheckState::warning);  // nobody means a node to be so
  for (const GpuNode* node : closed) {
    const bool is_lost = !is_ready(node->node());
    const std::int64_t gpus = gpus_of(*node);
    const std::string what = fmt::format("{}, with {}", state_text(context, *node),
                                         gpus == 0 ? "its GPUs" : counted(gpus, "GPU"));
    (is_lost ? lost : found)
        .add(node->node(),
             do_pods_wait ? fmt::format("{}, while {}", what, waiting_text(*waiting))
                          : what + "; no pod is known to wait for GPUs",
             diagnose::StackFault::Reads::behind_name, {},
             !is_lost ? (do_pods_wait ? "kubectl gpu why-pending -A" : "")
                      : "kubectl describe node " + shell_quoted(node->node().name));
  }
  lost.append_to(results);
  found.append_to(results);
  return results;
}

}  // namespace gpu::checkup
