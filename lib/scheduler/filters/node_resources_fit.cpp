#include "scheduler/filters/node_resources_fit.hpp"

#include <algorithm>
#include <limits>

#include "base/quantity.hpp"
#include "model/snapshot/requests.hpp"
#include "scheduler/cluster/amounts.hpp"
#include "scheduler/cluster/rules.hpp"
#include "scheduler/filters/shared_gpus.hpp"

namespace gpu::scheduler {
namespace {

constexpr std::int64_t kCap = std::numeric_limits<std::int64_t>::max();

}  // namespace

NodeResourcesFit::NodeResourcesFit(const Cluster& cluster, const Pod& pod,
                                   const DynamicResources& devices)
    : sees_lasting_shortage_(cluster.rules().sees_lasting_shortage) {
  for (const auto& [name, amount] : effective_requests(pod, cluster.rules().requests)) {
    if (!is_compared(name) || is_left_to_hami(cluster, pod, name)) continue;
    const std::int64_t value = compared_amount(name, amount);
    if (value <= 0) continue;
    needs_.push_back({.resource = cluster.resource(name),
                      .value = value,
                      .text = "Insufficient " + name,
                      .is_of_devices = devices.serves(name)});
  }
  // cpu, memory and ephemeral storage come first; upstream keeps the others in a map.
  std::stable_sort(needs_.begin(), needs_.end(), [](const Need& a, const Need& b) {
    constexpr ResourceId kOther = kEphemeralStorage + 1;
    return std::min(a.resource.value_or(kOther), kOther) <
           std::min(b.resource.value_or(kOther), kOther);
  });
}

/// What the pods that are taken away or added change, by need.
std::vector<std::int64_t> NodeResourcesFit::changes(const NodeView& node) const {
  std::vector<std::int64_t> changes(needs_.size());
  const auto add = [&](const BoundPod& pod, int sign) {
    for (const Amount& amount : pod.requests)
      for (std::size_t i = 0; i < needs_.size(); ++i)
        if (needs_[i].resource == amount.resource)
          changes[i] = capped_sum(changes[i], sign * amount.value);
  };
  // Those that are gone mostly stand in the order of the node's pods.
  std::size_t next = 0;
  for (const BoundPod& pod : node.state.pods) {
    if (next < node.gone.size() && node.gone[next] == pod.pod) {
      ++next;
      add(pod, -1);
    } else if (next < node.gone.size() && node.has_gone(pod.pod)) {
      add(pod, -1);
    }
  }
  for (const BoundPod* pod : node.extra) add(*pod, 1);
  return changes;
}

void NodeResourcesFit::ask_pods(const NodeState& node, std::int64_t pods,
                                Findings& findings) const {
  if (pods + 1 > node.allowed_pods) findings.refuse(Rejection::unschedulable, "Too many pods");
}

bool NodeResourcesFit::has_exact_sums(const NodeState& node) const {
  return std::all_of(needs_.begin(), needs_.end(), [&](const Need& need) {
    return !need.resource || node.requested[*need.resource] < kCap;
  });
}

std::int64_t NodeResourcesFit::requested_on(const NodeView& node, const Need& need,
                                            std::int64_t change) {
  if (!need.resource) return 0;
  const std::int64_t all = node.state.requested[*need.resource];
  if (all < kCap) return capped_sum(all, change);
  // Nothing can be taken off a sum that was cut short.
  std::int64_t sum = 0;
  node.each_pod([&](const BoundPod& pod) {
    for (const Amount& amount : pod.requests)
      if (amount.resource == *need.resource) sum = capped_sum(sum, amount.value);
  });
  return sum;
}

void NodeResourcesFit::ask_need(const Need& need, const NodeState& node, std::int64_t requested,
                                Findings& findings) const {
  const std::int64_t allocatable =
      need.resource ? node.allocatable[*need.resource] : std::int64_t{0};
  if (need.is_of_devices && allocatable <= 0) return;
  if (need.value <= capped_sum(allocatable, -requested)) return;
  const bool is_lasting = sees_lasting_shortage_ && need.value > allocatable;
  findings.refuse(is_lasting ? Rejection::unresolvable : Rejection::unschedulable, need.text);
}

void NodeResourcesFit::ask(const NodeView& node, Findings& findings) const {
  const auto pods = static_cast<std::int64_t>(node.state.pods.size() + node.extra.size()) -
                    static_cast<std::int64_t>(node.gone.size());
  ask_pods(node.state, pods, findings);
  if (node.gone.empty() && node.extra.empty()) {
    for (const Need& need : needs_)
      ask_need(need, node.state, need.resource ? node.state.requested[*need.resource] : 0,
               findings);
    return;
  }
  const std::vector<std::int64_t> changed = changes(node);
  for (std::size_t i = 0; i < needs_.size(); ++i)
    ask_need(needs_[i], node.state, requested_on(node, needs_[i], changed[i]), findings);
}

void NodeResourcesFit::ask_without(const NodeState& node, std::int64_t pods,
                                   std::span<const std::int64_t> requests,
                                   Findings& findings) const {
  ask_pods(node, static_cast<std::int64_t>(node.pods.size()) - pods, findings);
  for (const Need& need : needs_)
    ask_need(need, node,
             need.resource ? node.requested[*need.resource] - requests[*need.resource] : 0,
             findings);
}

}  // namespace gpu::scheduler
