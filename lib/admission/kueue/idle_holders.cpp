#include "admission/kueue/idle_holders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "admission/kueue/assignment.hpp"
#include "admission/kueue/index.hpp"
#include "admission/kueue/quota_holders.hpp"
#include "base/ascii.hpp"
#include "base/text.hpp"
#include "base/time.hpp"
#include "diagnose/answer/patience.hpp"
#include "model/gpu/gpu_resource.hpp"
#include "model/objects/selector_text.hpp"
#include "model/snapshot/workload.hpp"
#include "scheduler/cluster/amounts.hpp"

namespace gpu::admission {
namespace {

/// One workload that holds quota and runs nothing.
struct Idle {
  const QueuedWorkload* workload = nullptr;
  std::chrono::seconds since{0};
  std::int64_t gpus = 0;
};

std::int64_t amount_of_pods(const QueuedWorkload& workload, std::string_view resource) {
  std::int64_t sum = 0;
  for (const PodSet& set : workload.pod_sets) {
    const Quantity each = amount_of(set.requests, resource);
    sum = capped_sum(sum, capped_product(scheduler::compared_amount(resource, each), set.count));
  }
  return sum;
}

std::int64_t gpus_of(const QueuedWorkload& workload) {
  std::int64_t gpus = 0;
  for (const PodSet& set : workload.pod_sets)
    for (const auto& [name, amount] : set.requests)
      if (const auto gpu = gpu_resource(name); gpu && !gpu->is_memory)
        gpus = capped_sum(gpus, capped_product(amount.value(), set.count));
  return gpus;
}

/// Controllers cut long names short, and put something behind them.
bool is_named_after(std::string_view name, std::string_view owner) {
  constexpr std::size_t kMost = 40;
  return !owner.empty() && name.starts_with(owner.substr(0, kMost));
}

/// Whether a pod is of an owner of a workload: by whoever controls it, by a label with the owner's
/// name, or by its own name. Of several layers (RayJob, RayCluster, pod) not all may be seen.
bool is_of(const Snapshot& snapshot, const Pod& pod, const OwnerReference& owner) {
  if (pod.uid == owner.uid && !owner.uid.empty()) return true;
  const Owner top = top_owner(pod, snapshot);
  if (!owner.uid.empty() && top.uid == owner.uid) return true;
  for (const OwnerReference& each : pod.owners)
    if (each.uid == owner.uid || is_named_after(each.name, owner.name)) return true;
  for (const auto& [key, value] : pod.labels)
    if (is_named_after(value, owner.name)) return true;
  return is_named_after(pod.name, owner.name);
}

bool has_pods(const Snapshot& snapshot, const QueuedWorkload& workload) {
  return std::any_of(snapshot.pods.begin(), snapshot.pods.end(), [&](const Pod& pod) {
    return pod.ns == workload.ns &&
           std::any_of(workload.owners.begin(), workload.owners.end(),
                       [&](const OwnerReference& owner) { return is_of(snapshot, pod, owner); });
  });
}

/// For how long a workload has been admitted; nothing where it is not, or where that is not known.
std::optional<std::chrono::seconds> admitted_for(const QueuedWorkload& workload, Time now) {
  const Condition* const admitted = condition_of(workload.conditions, "Admitted");
  const bool holds = admitted != nullptr && admitted->status == "True" &&
                     !is_true(workload.conditions, "Finished") &&
                     !is_true(workload.conditions, "Evicted");
  if (!holds || !admitted->last_transition || *admitted->last_transition > now) return std::nullopt;
  return now - *admitted->last_transition;
}

std::vector<Idle> idle_in(const scheduler::Cluster& cluster, const ClusterQueue& queue, Time now) {
  const Snapshot& snapshot = cluster.snapshot();
  const auto& index = cluster.shared<KueueIndex>();
  std::vector<Idle> found;
  for (const QueuedWorkload& each : snapshot.scheduling.workloads) {
    const auto since = admitted_for(each, now);
    const auto* const from = index.cluster_queue(each.cluster_queue);
    if (!since || *since <= diagnose::patience_for(diagnose::WaitFor::quota_holder) ||
        each.owners.empty() || !each.admission_checks.empty() || from == nullptr ||
        !index.share_quota(queue, *from) || has_pods(snapshot, each))
      continue;
    found.push_back({&each, *since, gpus_of(each)});
  }
  // Of those that are enough, the one that holds least and longest.
  std::stable_sort(found.begin(), found.end(), [](const Idle& a, const Idle& b) {
    return std::pair(a.gpus, -a.since) < std::pair(b.gpus, -b.since);
  });
  return found;
}

/// Takes back what a workload holds. False where several flavors give a resource: which one it has
/// is not kept.
bool give_back(const scheduler::Cluster& cluster, const QueuedWorkload& workload,
               QueueTaken& before) {
  const auto* const queue = cluster.shared<KueueIndex>().cluster_queue(workload.cluster_queue);
  for (const FlavorQuota& quota : queue->quotas) {
    const std::int64_t held = amount_of_pods(workload, quota.resource);
    if (held == 0) continue;
    const auto flavors =
        std::count_if(queue->quotas.begin(), queue->quotas.end(),
                      [&](const FlavorQuota& each) { return each.resource == quota.resource; });
    if (flavors != 1) return false;
    before[{queue->name, quota.flavor, quota.resource}] -= held;
  }
  return true;
}

/// Whether Kueue would have quota for `waiting` without these.
bool is_enough(const scheduler::Cluster& cluster, const ClusterQueue& queue,
               const QueuedWorkload& waiting, const std::vector<const Idle*>& gone) {
  QueueTaken before;
  for (const Idle* each : gone)
    if (!give_back(cluster, *each->workload, before)) return false;
  QueueAssignment assignment(cluster, queue, before);
  for (const PodSet& set : waiting.pod_sets)
    if (!assignment.assign(set).empty()) return false;
  return assignment.is_known();
}

/// The fewest: one alone, else the largest together; empty where all are not enough.
std::vector<const Idle*> enough_of(const scheduler::Cluster& cluster, const ClusterQueue& queue,
                                   const QueuedWorkload& waiting, const std::vector<Idle>& idle) {
  constexpr std::size_t kMostTried = 50;
  for (std::size_t i = 0; i < std::min(idle.size(), kMostTried); ++i)
    if (is_enough(cluster, queue, waiting, {&idle[i]})) return {&idle[i]};
  std::vector<const Idle*> largest;
  for (auto each = idle.rbegin(); each != idle.rend() && largest.size() < kMostTried; ++each) {
    largest.push_back(&*each);
    if (is_enough(cluster, queue, waiting, largest)) return largest;
  }
  return {};
}

std::string target_of(const QueuedWorkload& workload) {
  const OwnerReference& owner = workload.owners.front();
  return lower_case(owner.kind) + "/" + owner.name;
}

std::string deletion_of(const QueuedWorkload& workload) {
  const OwnerReference& owner = workload.owners.front();
  return fmt::format("kubectl delete {} -n {} {}", lower_case(owner.kind),
                     shell_quoted(workload.ns), shell_quoted(owner.name));
}

diagnose::Fix fix_of(const std::vector<const Idle*>& gone) {
  diagnose::Fix fix;
  for (const Idle* each : gone) {
    const QueuedWorkload& workload = *each->workload;
    fix.summary += fmt::format("{}delete {} in {}", fix.summary.empty() ? "" : ", and ",
                               target_of(workload), workload.ns);
    fix.command += (fix.command.empty() ? "" : "\n") + deletion_of(workload);
    fix.stops.push_back(lower_case(workload.owners.front().kind) + "/" + workload.ns + "/" +
                        workload.owners.front().name);
  }
  fix.summary += gone.size() == 1
                     ? fmt::format(
                           ": it has held quota for {} and runs nothing; tested, Kueue "
                           "then has quota",
                           human_duration(gone.front()->since))
                     : ": they hold quota and run nothing; tested, Kueue then has quota";
  return fix;
}

std::string listed(const std::vector<Idle>& idle) {
  std::vector<std::string> texts;
  for (auto each = idle.rbegin(); each != idle.rend(); ++each)
    texts.push_back(fmt::format("{} ({} {}, admitted {} ago)", shown_name(*each->workload),
                                each->gpus, each->gpus == 1 ? "GPU" : "GPUs",
                                human_duration(each->since)));
  return names_text(texts);
}

}  // namespace

std::optional<IdleHolders> idle_holders(const scheduler::Cluster& cluster,
                                        const ClusterQueue& queue, const QueuedWorkload& waiting) {
  const Snapshot& snapshot = cluster.snapshot();
  if (!snapshot.taken_at || snapshot.pod_coverage != Coverage::whole) return std::nullopt;
  const std::vector<Idle> idle = idle_in(cluster, queue, *snapshot.taken_at);
  if (idle.empty()) return std::nullopt;
  IdleHolders found;
  found.remarks.push_back(
      {fmt::format("{} {} quota and {} nothing: no pod of {} is there", listed(idle),
                   idle.size() == 1 ? "holds" : "hold", idle.size() == 1 ? "runs" : "run",
                   idle.size() == 1 ? "it" : "them")});
  found.not_checked.emplace_back(
      "how the owners of workloads without pods have ended: their status is not read");
  if (const auto gone = enough_of(cluster, queue, waiting, idle); !gone.empty())
    found.fix = fix_of(gone);
  else
    for (auto each = idle.rbegin(); each != idle.rend() && found.advice.size() < 3; ++each)
      found.advice.push_back(
          {.summary = fmt::format("delete {} in {}, if it is of no use any more",
                                  target_of(*each->workload), each->workload->ns),
           .command = deletion_of(*each->workload)});
  return found;
}

}  // namespace gpu::admission
