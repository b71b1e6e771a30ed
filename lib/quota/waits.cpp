#include "quota/waits.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "admission/kai/index.hpp"
#include "admission/kai/request.hpp"
#include "admission/kueue/index.hpp"
#include "admission/kueue/quota_tree.hpp"
#include "model/snapshot/kai.hpp"
#include "quota/cards.hpp"
#include "quota/kai_queues.hpp"
#include "quota/kueue_counts.hpp"

namespace gpu::quota {
namespace {

using QueueAndResource = std::pair<std::string, std::string>;

Party party_of(const QueuedWorkload& workload) {
  Party party{.ns = workload.ns, .kind = "Workload", .name = workload.name};
  if (!workload.owners.empty()) {
    party.kind = workload.owners.front().kind;
    party.name = workload.owners.front().name;
  }
  return party;
}

void largest_first(std::vector<Party>& holders) {
  std::stable_sort(holders.begin(), holders.end(), [](const Party& a, const Party& b) {
    return std::tie(b.units, a.ns, a.name) < std::tie(a.units, b.ns, b.name);
  });
}

class KueueWaits {
 public:
  explicit KueueWaits(const scheduler::Cluster& cluster)
      : snapshot_(cluster.snapshot()),
        index_(cluster.shared<admission::KueueIndex>()),
        tree_(cluster.shared<admission::CohortTree>()) {}

  std::vector<Wait> all() {
    for (const QueuedWorkload& workload : snapshot_.scheduling.workloads) {
      if (waits_for_quota(workload)) add_waiting(workload);
      if (holds_quota(workload)) add_holder(workload);
    }
    for (auto& [key, holders] : holders_) largest_first(holders);
    std::vector<Wait> waits;
    for (auto& [key, wait] : waits_) {
      if (const ClusterQueue* const queue = index_.cluster_queue(wait.queue))
        add_holders(wait, *queue);
      longest_first(wait);
      waits.push_back(std::move(wait));
    }
    return waits;
  }

 private:
  void add_waiting(const QueuedWorkload& workload) {
    const LocalQueue* const local = index_.local_queue(workload);
    const ClusterQueue* const queue =
        local == nullptr ? nullptr : index_.cluster_queue(local->cluster_queue);
    std::set<std::string_view> resources;
    for (const PodSet& set : workload.pod_sets)
      for (const auto& [name, amount] : set.requests)
        if (counts_gpus(name)) resources.insert(name);
    for (const std::string_view resource : resources) {
      const Quantity units = requested_by(workload, resource);
      if (units == Quantity{}) continue;
      const std::string name = queue == nullptr ? std::string() : queue->name;
      Wait& wait = waits_[{name, std::string(resource)}];
      wait.limiter = Limiter::cluster_queue;
      wait.queue = name;
      wait.resource = resource;
      Party party = party_of(workload);
      party.queue = workload.queue;
      party.units = units;
      party.since = since(workload.created, snapshot_.taken_at);
      if (const Condition* const reserved = condition_of(workload.conditions, "QuotaReserved"))
        party.reason = reserved->message;
      wait.waiting.push_back(std::move(party));
    }
  }

  void add_holder(const QueuedWorkload& workload) {
    const ClusterQueue* const queue = index_.cluster_queue(workload.cluster_queue);
    if (queue == nullptr) return;
    std::map<std::pair<std::string_view, std::string_view>, Quantity> sums;
    for (const HeldQuota& each : workload.held)
      if (counts_gpus(each.resource)) sums[{each.flavor, each.resource}] += each.amount;
    for (const auto& [key, units] : sums) {
      if (units == Quantity{}) continue;
      Party party = party_of(workload);
      party.queue = queue->name;
      party.flavor = key.first;
      party.units = units;
      const Condition* const reserved = condition_of(workload.conditions, "QuotaReserved");
      if (reserved != nullptr) party.since = since(reserved->last_transition, snapshot_.taken_at);
      holders_[{tree_name(*queue), key.second}].push_back(std::move(party));
    }
  }

  /// All queues of such a tree share quota; a queue without a cohort is a tree of its own.
  [[nodiscard]] std::pair<bool, std::string_view> tree_name(const ClusterQueue& queue) const {
    const std::string_view root = tree_.root(queue);
    return {root.empty(), root.empty() ? std::string_view(queue.name) : root};
  }

  /// They stand in order: a large cohort has many, for each of its queues.
  void add_holders(Wait& wait, const ClusterQueue& queue) const {
    const auto found = holders_.find({tree_name(queue), wait.resource});
    if (found == holders_.end()) return;
    for (const Party& each : found->second) {
      const bool is_its_flavor =
          std::any_of(queue.quotas.begin(), queue.quotas.end(), [&](const FlavorQuota& quota) {
            return quota.flavor == each.flavor && quota.resource == wait.resource;
          });
      if (!is_its_flavor) continue;
      if (wait.holders.size() < kMostHolders)
        wait.holders.push_back(each);
      else
        ++wait.holders_left_out;
    }
  }

  const Snapshot& snapshot_;
  const admission::KueueIndex& index_;
  const admission::CohortTree& tree_;
  std::map<QueueAndResource, Wait> waits_;
  std::map<std::pair<std::pair<bool, std::string_view>, std::string_view>, std::vector<Party>>
      holders_;
};

std::vector<Wait> volcano_waits(const scheduler::Cluster& cluster, const VolcanoQueues& volcano) {
  const Snapshot& snapshot = cluster.snapshot();
  std::map<QueueAndResource, Wait> waits;
  for (const VolcanoPodGroup& group : snapshot.scheduling.volcano_pod_groups) {
    std::set<std::string> resources;
    for (const auto& [name, amount] : group.min_resources)
      if (counts_gpus(name)) resources.insert(name);
    for (const Pod* pod : volcano.pods_of(group))
      for (const Container& container : pod->containers)
        for (const auto& [name, amount] : container.requests)
          if (counts_gpus(name)) resources.insert(name);
    for (const std::string& resource : resources) {
      const std::string queue(queue_of(group));
      Wait& wait = waits[{queue, resource}];
      wait.limiter = Limiter::volcano_queue;
      wait.queue = queue;
      wait.resource = resource;
      Party party{.ns = group.ns,
                  .kind = group.owners.empty() ? "PodGroup" : group.owners.front().kind,
                  .name = group.owners.empty() ? group.name : group.owners.front().name,
                  .queue = queue,
                  .since = since(group.created, snapshot.taken_at)};
      if (const Quantity held = volcano.held_by(group, resource); held != Quantity{}) {
        party.units = held;
        wait.holders.push_back(party);
      }
      if (const Quantity awaited = volcano.awaited_by(group, resource); awaited != Quantity{}) {
        party.units = awaited;
        const Condition* const why = condition_of(group.conditions, "Unschedulable");
        if (why != nullptr && why->status == "True") party.reason = why->message;
        wait.waiting.push_back(std::move(party));
      }
    }
  }
  std::vector<Wait> found;
  for (auto& [key, wait] : waits) {
    if (wait.waiting.empty()) continue;
    keep_largest(wait);
    longest_first(wait);
    found.push_back(std::move(wait));
  }
  return found;
}

std::vector<Wait> kai_waits(const scheduler::Cluster& cluster) {
  const Snapshot& snapshot = cluster.snapshot();
  const auto& index = cluster.shared<admission::KaiIndex>();
  std::map<std::string, Wait> waits;
  for (const Pod& pod : snapshot.pods) {
    const KaiQueue* const queue = waits_for_kai(pod) ? index.queue(kai_queue_of(pod)) : nullptr;
    if (queue == nullptr) continue;
    const auto units = admission::kai_amount(cluster, pod, admission::KaiShare::gpus);
    if (units == Quantity{}) continue;
    Wait& wait = waits[queue->name];
    wait.limiter = Limiter::kai_queue;
    wait.queue = queue->name;
    wait.resource = queue->allowances.front().resource;
    wait.waiting.push_back({.ns = pod.ns,
                            .kind = "Pod",
                            .name = pod.name,
                            .queue = queue->name,
                            .units = units,
                            .since = since(pod.created, snapshot.taken_at)});
  }
  std::vector<Wait> found;
  for (auto& [name, wait] : waits) {
    for (const admission::KaiHolder& holder : index.holders(name))
      wait.holders.push_back({.ns = holder.pod->ns,
                              .kind = "Pod",
                              .name = holder.pod->name,
                              .queue = std::string(kai_queue_of(*holder.pod)),
                              .units = holder.gpus,
                              .since = since(holder.pod->started, snapshot.taken_at)});
    keep_largest(wait);
    longest_first(wait);
    found.push_back(std::move(wait));
  }
  return found;
}

}  // namespace

std::optional<std::chrono::seconds> since(const std::optional<Time>& then,
                                          const std::optional<Time>& now) {
  if (!then || !now || *now < *then) return std::nullopt;
  return *now - *then;
}

void longest_first(Wait& wait) {
  std::stable_sort(wait.waiting.begin(), wait.waiting.end(), [](const Party& a, const Party& b) {
    return std::tie(b.since, a.ns, a.name) < std::tie(a.since, b.ns, b.name);
  });
}

void keep_largest(Wait& wait) {
  largest_first(wait.holders);
  if (wait.holders.size() <= kMostHolders) return;
  wait.holders_left_out = static_cast<std::int64_t>(wait.holders.size() - kMostHolders);
  wait.holders.resize(kMostHolders);
}

std::vector<Wait> waits_of(const scheduler::Cluster& cluster, const VolcanoQueues& volcano) {
  std::vector<Wait> waits = KueueWaits(cluster).all();
  for (Wait& each : volcano_waits(cluster, volcano)) waits.push_back(std::move(each));
  for (Wait& each : kai_waits(cluster)) waits.push_back(std::move(each));
  return waits;
}

}  // namespace gpu::quota
