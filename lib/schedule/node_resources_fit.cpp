#include "schedule/node_resources_fit.hpp"

#include <algorithm>

#include "base/quantity.hpp"
#include "model/requests.hpp"
#include "schedule/amounts.hpp"

namespace gpu::schedule {
namespace {

/// What the pods of the node take of a resource, as it is tried.
std::int64_t requested_of(const NodeView& node, ResourceId resource) {
  std::int64_t sum = node.state.requested[resource];
  const auto add = [&](const BoundPod& pod, int sign) {
    for (const Amount& amount : pod.requests)
      if (amount.resource == resource) sum = capped_sum(sum, sign * amount.value);
  };
  if (!node.gone.empty())
    for (const BoundPod& pod : node.state.pods)
      if (node.has_gone(pod.pod)) add(pod, -1);
  for (const BoundPod* pod : node.extra) add(*pod, 1);
  return sum;
}

}  // namespace

NodeResourcesFit::NodeResourcesFit(const Cluster& cluster, const Pod& pod,
                                   const DeviceFilter& devices) {
  for (const auto& [name, amount] : effective_requests(pod)) {
    if (!is_compared(name)) continue;
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

void NodeResourcesFit::ask(const NodeView& node, Refusals& refusals) const {
  constexpr Filter kFit = Filter::node_resources_fit;
  const auto pods = static_cast<std::int64_t>(node.state.pods.size() + node.extra.size()) -
                    static_cast<std::int64_t>(node.gone.size());
  if (pods + 1 > node.state.allowed_pods)
    refusals.refuse(kFit, Rejection::unschedulable, "Too many pods");
  for (const Need& need : needs_) {
    const std::int64_t allocatable =
        need.resource ? node.state.allocatable[*need.resource] : std::int64_t{0};
    if (need.is_of_devices && allocatable <= 0) continue;
    const std::int64_t requested = need.resource ? requested_of(node, *need.resource) : 0;
    if (need.value <= capped_sum(allocatable, -requested)) continue;
    refusals.refuse(kFit,
                    need.value > allocatable ? Rejection::unresolvable : Rejection::unschedulable,
                    need.text);
  }
}

}  // namespace gpu::schedule
