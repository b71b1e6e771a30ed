#include "diagnose/fix/holder_advice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "diagnose/fix/holder_text.hpp"
#include "diagnose/fix/owner_template.hpp"
#include "diagnose/fix/victims.hpp"
#include "diagnose/nodes/candidates.hpp"
#include "model/snapshot/workload.hpp"
#include "scheduler/cycle/judge.hpp"

namespace gpu::diagnose {
namespace {

/// Nodes are much alike: what the nearest do not show, others will not.
constexpr std::size_t kMostTried = 32;

bool fits_without(const scheduler::Cluster& cluster, const Pod& pod, std::size_t node,
                  const std::vector<const Pod*>& ended) {
  const scheduler::Verdict after = judge(cluster, pod, {.ended = ended}, std::array{node});
  return after.fits() && after.unread.empty();
}

bool is_room_coming(const scheduler::Cluster& cluster, const Pod& pod) {
  if (!pod.nominated_node.empty()) return true;
  std::vector<const Pod*> leaving;
  std::vector<std::size_t> nodes;
  for (std::size_t node = 0; node < cluster.nodes().size(); ++node) {
    const std::size_t before = leaving.size();
    for (const scheduler::BoundPod& bound : cluster.nodes()[node].pods)
      if (bound.pod->deleted) leaving.push_back(bound.pod);
    if (leaving.size() > before) nodes.push_back(node);
  }
  return !leaving.empty() && judge(cluster, pod, {.ended = leaving}, nodes).fits();
}

/// By name: a planned pod's owner has no uid.
bool is_same(const Owner& a, const Owner& b) { return a.kind == b.kind && a.name == b.name; }

using Owned = std::vector<std::pair<Owner, std::vector<const Pod*>>>;

Owned by_owner(const scheduler::Cluster& cluster, const std::vector<const Pod*>& pods) {
  Owned owned;
  for (const Pod* pod : pods) {
    Owner owner = template_owner(*pod, cluster.snapshot());
    const auto known = std::find_if(owned.begin(), owned.end(), [&](const auto& each) {
      return each.first == owner && each.second.front()->ns == pod->ns;
    });
    if (known == owned.end())
      owned.emplace_back(std::move(owner), std::vector{pod});
    else
      known->second.push_back(pod);
  }
  return owned;
}

std::string text_of(const Owner& owner, const std::vector<const Pod*>& pods,
                    const HolderText& holders, const ExplainOptions& options) {
  const Pod& first = *pods.front();
  const std::string name = lower_case(owner.kind) + "/" + owner.name;
  if (pods.size() == 1) {
    std::string held = holders.held(first);
    held.erase(0, std::string_view("it ").size());
    return owner.kind == "Pod"
               ? fmt::format("pod {}/{}, which {}", first.ns, first.name, held)
               : fmt::format("{} in {}, whose pod {} {}", name, first.ns, first.name, held);
  }
  const bool are_idle = std::all_of(pods.begin(), pods.end(), [&](const Pod* pod) {
    return options.idle_pods.contains(pod->uid);
  });
  return fmt::format("{} in {}, which has {} on {}{}{}", name, first.ns,
                     holders.running(pods, name), first.node_name, are_idle ? ", all idle" : "",
                     holders.most_priority(pods));
}

}  // namespace

std::optional<Advice> holder_advice(const scheduler::Cluster& cluster, const Pod& pod,
                                    const scheduler::Verdict& verdict, const NodeReasons& reasons,
                                    const ExplainOptions& options) {
  const std::vector<Candidate> candidates = candidates_of(verdict, reasons);
  const Owner own = template_owner(pod, cluster.snapshot());
  std::vector<const Pod*> best;
  EvictionCost least;
  std::size_t tried = 0;
  for (const Candidate& each : candidates) {
    if (!each.lacks_only_room()) continue;
    if (++tried > kMostTried) break;
    const std::size_t node = each.verdict->node;
    std::vector<const Pod*> pods;
    for (const scheduler::BoundPod* bound :
         victims_for(cluster, pod, node, reasons, options.idle_pods, VictimScope::any))
      pods.push_back(bound->pod);
    const bool are_own = std::any_of(pods.begin(), pods.end(), [&](const Pod* holder) {
      return own.kind != "Pod" && holder->ns == pod.ns &&
             is_same(template_owner(*holder, cluster.snapshot()), own);
    });
    if (pods.empty() || are_own || !fits_without(cluster, pod, node, pods)) continue;
    const EvictionCost toll = eviction_cost_of(cluster, pods, reasons, options.idle_pods);
    if (!best.empty() && !(toll < least)) continue;
    best = std::move(pods);
    least = toll;
  }
  if (best.empty() || is_room_coming(cluster, pod)) return std::nullopt;
  const HolderText holders(cluster, pod, reasons, options);
  std::vector<std::string> texts;
  for (const auto& [owner, pods] : by_owner(cluster, best))
    texts.push_back(text_of(owner, pods, holders, options));
  return Advice{.summary = fmt::format("delete or scale down {}; the pod then fits on {}",
                                       fmt::join(texts, ", and "), best.front()->node_name),
                .command = {}};
}

}  // namespace gpu::diagnose
