#include "quota/kueue_counts.hpp"

#include <set>

#include "admission/kueue/index.hpp"
#include "quota/waiting_flavor.hpp"
#include "scheduler/cluster/amounts.hpp"

namespace gpu::quota {
namespace {

template <class Map, class Key>
const QueueCount& found_in(const Map& map, const Key& key) {
  static const QueueCount kNone;
  const auto found = map.find(key);
  return found == map.end() ? kNone : found->second;
}

void add_held(QueueCount& count, const QueuedWorkload& workload) {
  const bool is_admitted = is_true(workload.conditions, "Admitted");
  ++count.reserving;
  if (is_admitted) ++count.running;
  for (const HeldQuota& each : workload.held) {
    count.reserved[{each.flavor, each.resource}] += each.amount;
    if (is_admitted) count.admitted[{each.flavor, each.resource}] += each.amount;
  }
}

/// Of each resource that it requests, where it is counted and how much that is.
using Requests = std::map<std::pair<std::string_view, std::string_view>, Quantity>;

Requests requests_of(const SchedulingFacts& facts, const QueuedWorkload& workload,
                     const ClusterQueue* queue) {
  std::set<std::string_view> resources;
  for (const PodSet& set : workload.pod_sets)
    for (const auto& [name, amount] : set.requests) resources.insert(name);
  Requests requests;
  for (const std::string_view resource : resources) {
    const Quantity units = requested_by(workload, resource);
    if (units == Quantity{}) continue;
    const std::string_view flavor =
        queue == nullptr ? std::string_view{} : waiting_flavor(facts, *queue, workload, resource);
    requests.emplace(std::pair(flavor, resource), units);
  }
  return requests;
}

/// Kueue does not count what a stopped LocalQueue keeps to itself. It waits all the same.
void add_waiting(QueueCount& count, const Requests& requests, const LocalQueue& queue) {
  if (!admission::is_stopped(queue.stop_policy)) ++count.pending;
  for (const auto& [key, units] : requests) {
    Waiting& waiting = count.waiting[key];
    ++waiting.workloads;
    waiting.units += units;
  }
}

}  // namespace

bool holds_quota(const QueuedWorkload& workload) {
  return is_true(workload.conditions, "QuotaReserved") && !workload.cluster_queue.empty() &&
         !is_true(workload.conditions, "Finished");
}

bool waits_for_quota(const QueuedWorkload& workload) {
  return !is_true(workload.conditions, "QuotaReserved") &&
         !is_true(workload.conditions, "Finished") && workload.is_active;
}

Quantity requested_by(const QueuedWorkload& workload, std::string_view resource) {
  Quantity sum;
  for (const PodSet& set : workload.pod_sets)
    sum += times(amount_of(set.requests, resource), set.count);
  return sum;
}

KueueCounts::KueueCounts(const scheduler::Cluster& cluster) {
  const SchedulingFacts& facts = cluster.snapshot().scheduling;
  knows_held_ = coverage_of(facts, "workloads") == Coverage::whole;
  knows_waiting_ = knows_held_ && coverage_of(facts, "localqueues") == Coverage::whole;
  for (const QueuedWorkload& workload : facts.workloads) add(cluster, workload);
}

void KueueCounts::add(const scheduler::Cluster& cluster, const QueuedWorkload& workload) {
  if (holds_quota(workload)) {
    add_held(cluster_queues_[workload.cluster_queue], workload);
    add_held(local_queues_[{workload.ns, workload.queue}], workload);
    return;
  }
  const auto& index = cluster.shared<admission::KueueIndex>();
  const LocalQueue* const queue = index.local_queue(workload);
  if (queue == nullptr || !waits_for_quota(workload)) return;
  const Requests requests = requests_of(cluster.snapshot().scheduling, workload,
                                        index.cluster_queue(queue->cluster_queue));
  add_waiting(cluster_queues_[queue->cluster_queue], requests, *queue);
  add_waiting(local_queues_[{workload.ns, workload.queue}], requests, *queue);
}

const QueueCount& KueueCounts::of(const ClusterQueue& queue) const {
  return found_in(cluster_queues_, std::string_view(queue.name));
}

const QueueCount& KueueCounts::of(const LocalQueue& queue) const {
  return found_in(local_queues_,
                  std::pair(std::string_view(queue.ns), std::string_view(queue.name)));
}

}  // namespace gpu::quota
