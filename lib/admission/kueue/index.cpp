#include "admission/kueue/index.hpp"

#include <algorithm>

#include "admission/kueue/quota_tree.hpp"

namespace gpu::admission {
namespace {

/// Whether Kueue's scheduler would take it up: a LocalQueue that is stopped passes nothing on, and
/// one of a namespace that is not selected steps back, in a StrictFIFO queue too.
bool stands_in_queue(const QueuedWorkload& workload, const LocalQueue& queue) {
  if (!workload.is_active || is_stopped(queue.stop_policy)) return false;
  if (is_true(workload.conditions, "QuotaReserved") || is_true(workload.conditions, "Finished"))
    return false;
  const Condition* const reserved = condition_of(workload.conditions, "QuotaReserved");
  return reserved == nullptr ||
         reserved->message.find("doesn't match ClusterQueue selector") == std::string::npos;
}

bool is_before(const QueuedWorkload& a, const QueuedWorkload& b) {
  const auto rank = [](const QueuedWorkload& each) {
    return std::tuple(-std::int64_t{each.priority.value_or(0)}, each.created.value_or(Time::max()),
                      std::string_view(each.uid));
  };
  return rank(a) < rank(b);
}

template <class Map, class Key>
auto found_in(const Map& map, const Key& key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : found->second;
}

}  // namespace

bool is_stopped(std::string_view policy) { return policy == "Hold" || policy == "HoldAndDrain"; }

KueueIndex::KueueIndex(const scheduler::Cluster& cluster) {
  const SchedulingFacts& facts = cluster.snapshot().scheduling;
  for (const LocalQueue& queue : facts.local_queues)
    local_queues_.emplace(Pair(queue.ns, queue.name), &queue);
  const auto& tree = cluster.shared<CohortTree>();
  for (const ClusterQueue& queue : facts.cluster_queues) {
    cluster_queues_.emplace(queue.name, &queue);
    roots_.emplace(queue.name, tree.root(queue));
  }
  for (const QueuedWorkload& workload : facts.workloads) add(workload);
}

bool KueueIndex::share_quota(const ClusterQueue& a, const ClusterQueue& b) const {
  if (a.name == b.name) return true;
  const auto root = roots_.find(a.name);
  const auto other = roots_.find(b.name);
  return root != roots_.end() && other != roots_.end() && !root->second.empty() &&
         root->second == other->second;
}

void KueueIndex::add(const QueuedWorkload& workload) {
  if (!workload.uid.empty()) by_uid_.emplace(workload.uid, &workload);
  for (const OwnerReference& owner : workload.owners) {
    if (!owner.uid.empty()) by_owner_uid_.emplace(Pair(workload.ns, owner.uid), &workload);
    by_owner_name_[{workload.ns, owner.kind, owner.name}].push_back({&workload, owner.uid});
  }
  const LocalQueue* const queue = local_queue(workload);
  if (queue == nullptr || !stands_in_queue(workload, *queue)) return;
  const QueuedWorkload*& head = heads_[queue->cluster_queue];
  if (head == nullptr || is_before(workload, *head)) head = &workload;
}

const LocalQueue* KueueIndex::local_queue(const QueuedWorkload& workload) const {
  return found_in(local_queues_, Pair(workload.ns, workload.queue));
}

const ClusterQueue* KueueIndex::cluster_queue(std::string_view name) const {
  return found_in(cluster_queues_, name);
}

const QueuedWorkload* KueueIndex::workload_with(std::string_view uid) const {
  return found_in(by_uid_, uid);
}

const QueuedWorkload* KueueIndex::workload_of(std::string_view ns, std::string_view kind,
                                              std::string_view name, std::string_view uid) const {
  const QueuedWorkload* its = uid.empty() ? nullptr : found_in(by_owner_uid_, Pair(ns, uid));
  const auto named = by_owner_name_.find(Triple(ns, kind, name));
  if (named == by_owner_name_.end()) return its;
  // A name may be used again: it counts where one side has no uid.
  const auto found =
      std::find_if(named->second.begin(), named->second.end(),
                   [&](const Owned& each) { return uid.empty() || each.uid.empty(); });
  if (found == named->second.end()) return its;
  return its == nullptr ? found->workload : std::min(its, found->workload);
}

const QueuedWorkload* KueueIndex::head_before(const QueuedWorkload& workload) const {
  const LocalQueue* const queue = local_queue(workload);
  if (queue == nullptr) return nullptr;
  const ClusterQueue* const behind = cluster_queue(queue->cluster_queue);
  if (behind == nullptr || behind->strategy != "StrictFIFO") return nullptr;
  const QueuedWorkload* const head = found_in(heads_, std::string_view(queue->cluster_queue));
  return head != nullptr && is_before(*head, workload) ? head : nullptr;
}

}  // namespace gpu::admission
