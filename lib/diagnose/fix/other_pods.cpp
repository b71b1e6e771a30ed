#include "diagnose/fix/other_pods.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/ascii.hpp"
#include "model/snapshot/requests.hpp"
#include "scheduler/cluster/amounts.hpp"
#include "scheduler/cluster/owned_pods.hpp"

namespace gpu::diagnose {
namespace {

bool is_ended(const CandidateFix& fix, const Pod& pod) {
  const auto& ended = fix.change.ended;
  return std::find(ended.begin(), ended.end(), &pod) != ended.end();
}

/// How many such pods a node has room for once the change is made.
std::int64_t room_after(const scheduler::Cluster& cluster, const NodeReasons& reasons,
                        const CandidateFix& fix, std::size_t node) {
  std::int64_t room = std::numeric_limits<std::int64_t>::max();
  for (const scheduler::Amount& each : reasons.requests()) {
    const std::int64_t asked = asked_after(cluster, fix, each);
    if (asked <= 0) continue;
    std::int64_t free = reasons.free_of(node, each.resource);
    for (const scheduler::BoundPod& bound : cluster.nodes()[node].pods)
      for (const scheduler::Amount& held : bound.requests)
        if (held.resource == each.resource && is_ended(fix, *bound.pod))
          free = capped_sum(free, held.value);
    room = std::min(room, free / asked);
  }
  return room;
}

}  // namespace

std::int64_t waiting_pods(const scheduler::Cluster& cluster, const Pod& pod, const Owner& owner) {
  if (owner.kind == "Pod" || owner.uid.empty()) return 1;
  const auto pods = cluster.shared<scheduler::OwnedPods>().of(owner.uid);
  const auto others = std::count_if(pods.begin(), pods.end(), [&](const Pod* each) {
    return each->ns == pod.ns && each->name != pod.name && each->node_name.empty() &&
           !each->deleted && effective_requests(*each) == effective_requests(pod);
  });
  return 1 + others;
}

std::int64_t asked_after(const scheduler::Cluster& cluster, const CandidateFix& fix,
                         const scheduler::Amount& asked) {
  if (!fix.change.pod) return asked.value;
  const ResourceList requests = effective_requests(*fix.change.pod);
  const std::string_view name = cluster.name_of(asked.resource);
  return scheduler::compared_amount(name, amount_of(requests, name));
}

std::string others_text(const scheduler::Cluster& cluster, std::int64_t waiting, const Owner& owner,
                        const NodeReasons& reasons, const CandidateFix& fix,
                        const std::vector<std::size_t>& fitting) {
  if (waiting < 2) return {};
  std::int64_t room = 0;
  for (const std::size_t node : fitting)
    room = capped_sum(room, room_after(cluster, reasons, fix, node));
  room = std::max<std::int64_t>(room, 1);  // it was tried
  if (room >= waiting) return {};
  return fmt::format("this makes room for {} of the {} pods of {}/{} that wait", room, waiting,
                     lower_case(owner.kind), owner.name);
}

}  // namespace gpu::diagnose
