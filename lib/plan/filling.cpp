#include "plan/filling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "admission/api/quota.hpp"
#include "model/snapshot/gpu_fraction.hpp"
#include "plan/api_refusal.hpp"
#include "plan/devices.hpp"
#include "plan/gpu_parts.hpp"
#include "plan/group_queue.hpp"
#include "plan/preemption.hpp"
#include "scheduler/scores/scores.hpp"

namespace gpu::plan {
namespace {

/// Whether a pod that starts changes nothing but its own node for the next one like it.
bool is_node_local(const Pod& pod) {
  return pod.placement.spread.empty() && pod.placement.pod_affinity.empty() &&
         pod.placement.pod_anti_affinity.empty() && pod.volumes.empty() &&
         pod.claim_slots.empty() && !gpu_fraction(pod) && pod.card_shares.empty();
}

/// Whether its scheduler hands out devices or parts of cards that a node's sums do not show.
bool needs_devices(const Pod& pod, const scheduler::Cluster& cluster) {
  if (!pod.claim_slots.empty() || gpu_fraction(pod) || !pod.card_shares.empty()) return true;
  return !scheduler::SharedGpus(cluster, pod).parts().empty();
}

bool is_same_template(const Pod& a, const Pod& b) {
  return a.uid == b.uid && a.ns == b.ns && a.name == b.name && a.node_selector == b.node_selector &&
         a.tolerations == b.tolerations;
}

}  // namespace

bool takes_known(const Pod& pod, const VolumeClaimTemplates& own, const Snapshot& snapshot) {
  const auto& claims = snapshot.scheduling.volume_claims;
  const auto is_its_own = [&](const PodVolume& volume) {
    return std::any_of(own.claims.begin(), own.claims.end(),
                       [&](const auto& each) { return each.name == volume.name; });
  };
  return std::all_of(pod.volumes.begin(), pod.volumes.end(), [&](const PodVolume& each) {
    if (each.claim.empty()) return true;
    const auto found = std::find_if(claims.begin(), claims.end(), [&](const auto& claim) {
      return claim.ns == pod.ns && claim.name == each.claim;
    });
    return found != claims.end() &&
           (found->is_bound ||
            (is_its_own(each) && is_made_on_demand(*found, snapshot.scheduling)));
  });
}

Filling::Filling(Snapshot snapshot) : snapshot_(std::move(snapshot)) {
  rebuild();
  settle_group_queues(snapshot_, *cluster_);
}

void Filling::rebuild() {
  usual_.reset();
  cluster_.reset();
  cluster_ = std::make_unique<scheduler::Cluster>(snapshot_);
  usual_.emplace(*cluster_);
  last_.reset();
}

Filling::Room Filling::room_for(const Pod& pod) {
  Room room;
  const std::size_t count = cluster_->nodes().size();
  if (last_ && is_node_local(pod) && is_same_template(*last_, pod)) {
    const scheduler::Verdict verdict = scheduler::judge(
        *cluster_, pod, {}, std::vector<std::size_t>(last_changed_.begin(), last_changed_.end()));
    for (const scheduler::NodeVerdict& each : verdict.nodes) {
      last_fits_[each.node] = each.lets_in() ? 1 : 0;
      last_sure_[each.node] = each.is_undecided ? 0 : 1;
    }
  } else {
    const scheduler::Verdict verdict = scheduler::judge(*cluster_, pod);
    const bool is_refused = verdict.error || !verdict.rejections.empty();
    last_fits_.assign(count, 0);
    last_sure_.assign(count, 1);
    for (const scheduler::NodeVerdict& each : verdict.nodes) {
      last_fits_[each.node] = !is_refused && each.lets_in() ? 1 : 0;
      last_sure_[each.node] = each.is_undecided ? 0 : 1;
    }
    last_.reset();
    if (!is_refused && is_node_local(pod)) last_ = pod;
  }
  last_changed_.clear();
  for (std::uint32_t node = 0; node < count; ++node) {
    if (last_fits_[node] == 0) continue;
    room.nodes.push_back(node);
    room.is_sure = room.is_sure && last_sure_[node] != 0;
  }
  return room;
}

std::vector<std::uint32_t> Filling::best_of(const Pod& pod,
                                            const std::vector<std::uint32_t>& nodes) {
  if (nodes.size() < 2) return nodes;
  return scheduler::best_nodes(scheduler::scores_of(*cluster_, pod, nodes, *usual_));
}

void Filling::expect(const Pod& pod) {
  hands_out_devices_ = hands_out_devices_ || needs_devices(pod, *cluster_);
}

std::optional<Started> Filling::start(const Pod& pod, TieBreak& ties) {
  if (!is_let_in(*cluster_, pod) || is_held_by_group_queue(*cluster_, pod)) return std::nullopt;
  const Room room = room_for(pod);
  if (room.nodes.empty()) return start_by_preemption(pod);
  Started started{.is_sure = room.is_sure};
  const std::size_t most = scheduler::nodes_to_find(cluster_->nodes().size());
  started.is_by_chance = room.nodes.size() > most;
  const std::vector<std::uint32_t> best = best_of(pod, ties.sample(room.nodes, most));
  started.is_by_chance = started.is_by_chance || best.size() > 1;
  started.node = ties.pick(*cluster_, pod, best);
  if (!place(pod, started.node)) return std::nullopt;
  return started;
}

std::optional<Started> Filling::start_by_preemption(const Pod& pod) {
  const scheduler::Verdict verdict = scheduler::judge(*cluster_, pod);
  const auto room = room_by_preemption(*cluster_, pod, verdict);
  if (!room) return std::nullopt;
  Started started{.node = static_cast<std::uint32_t>(room->node)};
  for (const Pod* victim : room->victims) started.stops.push_back(victim->ns + "/" + victim->name);
  for (const Pod* victim : room->victims) end(victim);
  if (!place(pod, started.node)) return std::nullopt;
  return started;
}

void Filling::end(const Pod* pod) {
  const auto node = cluster_->node_named(pod->node_name);
  cluster_->unbind(*pod);
  steps_.push_back({.went = pod});
  last_.reset();
  if (node) usual_->forget(*node);
}

const Pod* Filling::put(Pod pod, std::uint32_t node) {
  pod.node_name = cluster_->nodes()[node].node->name;
  pod.nominated_node.clear();
  pod.deleted.reset();
  pod.phase = "Running";
  placed_.push_back(std::move(pod));
  cluster_->bind(placed_.back());
  steps_.push_back({.came = &placed_.back()});
  if (!is_node_local(placed_.back())) last_.reset();
  usual_->add(node, scheduler::usual_amounts(*cluster_, placed_.back()));
  last_changed_.push_back(node);
  return &placed_.back();
}

void Filling::count(const Pod& pod) {
  admission::count_in_quotas(snapshot_.scheduling, pod);
  count_in_group_queues(snapshot_, *cluster_, pod);
}

bool Filling::place(const Pod& planned, std::uint32_t node) {
  Pod pod = planned;
  pod.name += fmt::format("-{}", ++named_);
  pod.uid += "-" + pod.name;
  // No fix ends a pod that would start.
  for (OwnerReference& each : pod.owners) each.controller = false;
  pod.owners.insert(pod.owners.begin(), {.kind = "Node",
                                         .name = cluster_->nodes()[node].node->name,
                                         .uid = {},
                                         .api_version = "v1",
                                         .controller = true});
  if (hands_out_devices_ || needs_devices(planned, *cluster_))
    return place_with_devices(std::move(pod), node);
  count(pod);
  put(std::move(pod), node);
  return true;
}

/// The snapshot itself says who has which device, so that the cluster is made anew.
bool Filling::place_with_devices(Pod pod, std::uint32_t node) {
  auto devices = devices_on(*cluster_, pod, node);
  const auto parts = gpu_parts_on(*cluster_, pod, node);
  if (!devices || !parts) return false;
  pod.node_name = cluster_->nodes()[node].node->name;
  pod.phase = "Running";
  count(pod);
  take_devices(snapshot_, pod, *std::move(devices));
  take_gpu_parts(snapshot_, pod, *parts);
  for (const Step& step : steps_)
    if (step.came != nullptr) snapshot_.pods.push_back(*step.came);
  std::erase_if(snapshot_.pods, [&](const Pod& each) {
    return std::any_of(steps_.begin(), steps_.end(), [&](const Step& step) {
      return step.went != nullptr && step.went->uid == each.uid && step.went->name == each.name;
    });
  });
  snapshot_.pods.push_back(std::move(pod));
  std::sort(snapshot_.pods.begin(), snapshot_.pods.end(), [](const Pod& a, const Pod& b) {
    return std::tie(a.ns, a.name) < std::tie(b.ns, b.name);
  });
  steps_.clear();
  rebuild();
  return true;
}

Filling::Mark Filling::mark() const {
  Mark mark{.steps = steps_.size(),
            .quotas = snapshot_.scheduling.quotas,
            .queues = group_queue_use(snapshot_.scheduling),
            .snapshot = nullptr};
  if (hands_out_devices_) mark.snapshot = std::make_shared<const Snapshot>(snapshot_);
  return mark;
}

void Filling::back_to(const Mark& mark) {
  snapshot_.scheduling.quotas = mark.quotas;
  restore(snapshot_.scheduling, mark.queues);
  if (mark.snapshot) {
    snapshot_ = *mark.snapshot;
    steps_.clear();
    rebuild();
    return;
  }
  while (steps_.size() > mark.steps) {
    const Step step = steps_.back();
    steps_.pop_back();
    const Pod& pod = step.came != nullptr ? *step.came : *step.went;
    const auto node = cluster_->node_named(pod.node_name);
    if (step.came != nullptr)
      cluster_->unbind(pod);
    else
      cluster_->bind(pod);
    if (node) usual_->forget(*node);
  }
  last_.reset();
}

}  // namespace gpu::plan
