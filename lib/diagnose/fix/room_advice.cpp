#include "diagnose/fix/room_advice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "diagnose/nodes/candidates.hpp"
#include "diagnose/nodes/shares.hpp"
#include "model/objects/own_kind.hpp"
#include "model/objects/quantity_text.hpp"
#include "model/objects/selector_text.hpp"
#include "model/pools/toleration.hpp"
#include "scheduler/cluster/owned_pods.hpp"
#include "scheduler/cluster/volume_claims.hpp"
#include "scheduler/cycle/judge.hpp"

namespace gpu::diagnose {
namespace {

constexpr std::string_view kHostname = "kubernetes.io/hostname";
/// Nodes are much alike: what the nearest do not show, others will not.
constexpr std::size_t kMostTried = 32;

/// These come with every node of the kind.
bool comes_with_node(const Pod& pod) {
  const OwnerReference* const controller = scheduler::controller_of(pod);
  return controller != nullptr && (is_own(*controller, "DaemonSet") || is_own(*controller, "Node"));
}

bool is_by_node(const std::vector<PodAffinityTerm>& terms) {
  return std::all_of(terms.begin(), terms.end(),
                     [](const PodAffinityTerm& term) { return term.topology_key == kHostname; });
}

/// A zone or region holds more nodes than those that there are.
bool is_of_one_node(const Requirement& requirement) {
  const std::string_view name = last_part(requirement.key);
  return name != "zone" && name != "region";
}

/// Whether the pod names a node, a volume or devices that no other node has.
bool is_tied_to_node(const scheduler::Cluster& cluster, const Pod& pod) {
  if (comes_with_node(pod) || pod.node_selector.contains(kHostname)) return true;
  if (pod.placement.node_affinity)
    for (const NodeSelectorTerm& term : *pod.placement.node_affinity) {
      const auto names_host = [](const Requirement& each) { return each.key == kHostname; };
      if (!term.fields.empty() ||
          std::any_of(term.expressions.begin(), term.expressions.end(), names_host))
        return true;
    }
  if (std::any_of(pod.claim_slots.begin(), pod.claim_slots.end(),
                  [](const auto& slot) { return slot.claim_template.empty(); }))
    return true;
  for (const scheduler::ClaimedVolume& each :
       claimed_volumes(cluster, pod, scheduler::ClaimKinds::named_and_ephemeral)) {
    const PersistentVolume* const volume =
        each.claim == nullptr ? nullptr : cluster.volume(each.claim->volume);
    if (volume == nullptr || !volume->node_affinity) continue;
    for (const NodeSelectorTerm& term : *volume->node_affinity)
      if (std::any_of(term.expressions.begin(), term.expressions.end(), is_of_one_node))
        return true;
  }
  return false;
}

/// Whether the node, were it emptied, says what one more like it would: not where pods count that
/// stay where they are.
bool stands_for_new_node(const Candidate& candidate, const Pod& pod,
                         const scheduler::NodeState& state) {
  for (const BlockerKind word :
       {BlockerKind::spread, BlockerKind::volume_in_use, BlockerKind::volume_elsewhere,
        BlockerKind::no_volume, BlockerKind::pod_affinity, BlockerKind::other_node_name})
    if (candidate.has(word)) return false;
  if (!candidate.has(BlockerKind::pod_anti_affinity)) return true;
  return is_by_node(pod.placement.pod_anti_affinity) &&
         std::all_of(state.pods.begin(), state.pods.end(), [](const scheduler::BoundPod& bound) {
           return is_by_node(bound.pod->placement.pod_anti_affinity);
         });
}

/// The node as a new one would be: without cordon, illness and pods, but with its other taints.
scheduler::Change as_new(const scheduler::NodeState& state) {
  scheduler::Change change{.uncordoned = {state.node->name}};
  for (const scheduler::BoundPod& bound : state.pods)
    if (!comes_with_node(*bound.pod)) change.ended.push_back(bound.pod);
  for (const Taint& taint : state.node->taints)
    if (lifecycle_of(taint) != Unavailable::none || is_health_taint(taint))
      change.untainted.push_back({state.node->name, taint});
  return change;
}

/// What an empty node has for others than the pods that come with it.
std::int64_t room_when_empty(const scheduler::NodeState& state, scheduler::ResourceId resource) {
  std::int64_t room = state.allocatable[resource];
  for (const scheduler::BoundPod& bound : state.pods)
    if (comes_with_node(*bound.pod))
      for (const scheduler::Amount& amount : bound.requests)
        if (amount.resource == resource) room -= amount.value;
  return room;
}

/// A number that is easily written, and not above `amount`.
std::int64_t rounded_down(std::string_view resource, std::int64_t amount) {
  const std::int64_t step = resource == "cpu"                                         ? 100
                            : resource == "memory" || resource == "ephemeral-storage" ? 1LL << 30
                                                                                      : 1;
  return amount > step ? amount - amount % step : amount;
}

/// What no node has enough of, even when empty; of pods that ask for GPUs, no node with these.
std::optional<Advice> smaller_request(const scheduler::Cluster& cluster,
                                      const std::vector<Candidate>& candidates,
                                      const NodeReasons& reasons) {
  std::vector<std::string> most;
  std::string shares;
  for (const scheduler::Amount& asked : reasons.requests()) {
    std::int64_t best = 0;
    for (const Candidate& each : candidates)
      if (!each.has(BlockerKind::no_gpus))
        best = std::max(best, room_when_empty(cluster.nodes()[each.verdict->node], asked.resource));
    const std::string name(cluster.name_of(asked.resource));
    const bool is_too_much = best > 0 && best < asked.value;
    if (is_too_much && cluster.shared<Shares>().are_all(asked.resource))
      shares = name;
    else if (is_too_much)
      most.push_back(fmt::format("{} {}", amount_text(name, rounded_down(name, best)), name));
  }
  if (most.empty() && shares.empty()) return std::nullopt;
  const std::string one = shares.empty() ? ""
                                         : fmt::format(
                                               "request 1 {}: its units are shares of a "
                                               "GPU, and several give no more of it",
                                               shares);
  if (most.empty()) return Advice{.summary = one, .command = {}, .kind = AdviceKind::edit};
  const std::string_view which = !reasons.gpus().empty()                      ? " with such GPUs"
                                 : candidates.size() < cluster.nodes().size() ? " that it selects"
                                                                              : "";
  return Advice{
      .summary = fmt::format("{}request less: no node{} has more than {}, even when empty",
                             one.empty() ? "" : one + "; and ", which, fmt::join(most, " and ")),
      .command = {},
      .kind = AdviceKind::edit};
}

}  // namespace

std::optional<Advice> room_advice(const scheduler::Cluster& cluster, const Pod& pod,
                                  const scheduler::Verdict& verdict, const NodeReasons& reasons) {
  const std::vector<Candidate> candidates = candidates_of(verdict, reasons);
  const bool is_tied = is_tied_to_node(cluster, pod);
  std::size_t tried = 0;
  for (const Candidate& each : candidates) {
    if (is_tied || tried == kMostTried) break;
    const std::size_t node = each.verdict->node;
    const scheduler::NodeState& state = cluster.nodes()[node];
    if (!stands_for_new_node(each, pod, state)) continue;
    ++tried;
    const std::array<std::size_t, 1> only{node};
    const scheduler::Verdict after = judge(cluster, pod, as_new(state), only);
    if (after.fits() && after.unread.empty())
      return Advice{.summary = fmt::format("add a node like {}: empty, it would take the pod",
                                           state.node->name),
                    .command = {},
                    .kind = AdviceKind::add_node};
  }
  if (auto less = smaller_request(cluster, candidates, reasons)) return less;
  const bool is_port = std::any_of(candidates.begin(), candidates.end(), [](const Candidate& each) {
    return each.kinds == BlockerKinds{BlockerKind::port_taken};
  });
  if (!is_port) return std::nullopt;
  return Advice{
      .summary = "give one of the two another host port: a node runs only one pod with it",
      .command = {},
      .kind = AdviceKind::edit};
}

bool asks_for_node(const Advice& advice) { return advice.kind == AdviceKind::add_node; }

}  // namespace gpu::diagnose
