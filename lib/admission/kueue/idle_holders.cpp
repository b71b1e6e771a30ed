#include "admission/kueue/idle_holders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "admission/kueue/assignment.hpp"
#include "admission/kueue/idle_workloads.hpp"
#include "admission/kueue/index.hpp"
#include "admission/kueue/quota_holders.hpp"
#include "admission/kueue/workload_pods.hpp"
#include "base/ascii.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "base/time.hpp"
#include "model/objects/selector_text.hpp"
#include "scheduler/cluster/amounts.hpp"

namespace gpu::admission {
namespace {

using Idle = IdleWorkload;

std::int64_t amount_of_pods(const QueuedWorkload& workload, std::string_view resource) {
  std::int64_t sum = 0;
  for (const PodSet& set : workload.pod_sets) {
    const Quantity each = amount_of(set.requests, resource);
    sum = capped_sum(sum, capped_product(scheduler::compared_amount(resource, each), set.count));
  }
  return sum;
}

std::vector<Idle> idle_in(const scheduler::Cluster& cluster, const ClusterQueue& queue) {
  const auto& index = cluster.shared<KueueIndex>();
  std::vector<Idle> found;
  for (const Idle& each : cluster.shared<IdleWorkloads>().all()) {
    const auto* const from = index.cluster_queue(each.workload->cluster_queue);
    if (from != nullptr && index.share_quota(queue, *from)) found.push_back(each);
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

/// The fewest: one alone, of those that have ended before others, else the largest together; empty
/// where all are not enough.
std::vector<const Idle*> enough_of(const scheduler::Cluster& cluster, const ClusterQueue& queue,
                                   const QueuedWorkload& waiting,
                                   const std::vector<const Idle*>& idle) {
  constexpr std::size_t kMostTried = 50;
  std::vector<const Idle*> ended_first = idle;
  std::stable_partition(ended_first.begin(), ended_first.end(),
                        [](const Idle* each) { return each->end.has_value(); });
  ended_first.resize(std::min(ended_first.size(), kMostTried));
  for (const Idle* each : ended_first)
    if (is_enough(cluster, queue, waiting, {each})) return {each};
  std::vector<const Idle*> largest;
  for (auto each = idle.rbegin(); each != idle.rend() && largest.size() < kMostTried; ++each) {
    largest.push_back(*each);
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

/// "it has held quota for 7d and runs nothing".
std::string why_of(const std::vector<const Idle*>& gone) {
  if (gone.size() > 1) return "they hold quota and run nothing";
  const Idle& only = *gone.front();
  const std::string held = "has held quota for " + human_duration(only.since);
  if (only.end)
    return fmt::format("it {}, and {}", only.end->has_failed ? "has failed" : "has finished", held);
  return fmt::format("it {} and runs nothing", held);
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
  fix.summary += fmt::format(": {}; tested, Kueue then has quota", why_of(gone));
  return fix;
}

std::string listed(const std::vector<const Idle*>& idle) {
  std::vector<std::string> texts;
  for (auto each = idle.rbegin(); each != idle.rend(); ++each)
    texts.push_back(fmt::format("{} ({} {}, admitted {} ago)", shown_name(*(*each)->workload),
                                (*each)->gpus, (*each)->gpus == 1 ? "GPU" : "GPUs",
                                human_duration((*each)->since)));
  return names_text(texts);
}

/// Those of which `is_wanted` holds, in their order.
template <class IsWanted>
std::vector<const Idle*> those_of(const std::vector<Idle>& idle, IsWanted is_wanted) {
  std::vector<const Idle*> found;
  for (const Idle& each : idle)
    if (is_wanted(each)) found.push_back(&each);
  return found;
}

/// That it holds quota is certain, that it runs nothing is not.
void add_uncertain(IdleHolders& found, const std::vector<const Idle*>& idle) {
  if (idle.empty()) return;
  const bool is_one = idle.size() == 1;
  found.remarks.push_back({fmt::format("{} {} quota, and no pod of {} was seen", listed(idle),
                                       is_one ? "holds" : "hold", is_one ? "it" : "them")});
  std::vector<std::string> reasons;
  for (const Idle* each : idle) {
    const std::string& unread = each->pods.unread;
    std::string reason =
        unread.empty()
            ? fmt::format("what objects of kind {} make is not known here",
                          each->workload->owners.front().kind)
            : fmt::format("not every {} of namespace {} was read", unread, each->workload->ns);
    if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end())
      reasons.push_back(std::move(reason));
  }
  const QueuedWorkload& largest = *idle.back()->workload;
  found.look = diagnose::Advice{
      .summary = fmt::format("see whether {} in {} still runs", target_of(largest), largest.ns),
      .command =
          fmt::format("kubectl describe {} -n {} {}", lower_case(largest.owners.front().kind),
                      shell_quoted(largest.ns), shell_quoted(largest.owners.front().name))};
  found.not_checked.push_back(fmt::format("whether {} {}: {}", is_one ? "it" : "these workloads",
                                          is_one ? "runs" : "run", joined(reasons, "; ")));
}

void add_certain(IdleHolders& found, const scheduler::Cluster& cluster, const ClusterQueue& queue,
                 const QueuedWorkload& waiting, const std::vector<const Idle*>& idle) {
  if (idle.empty()) return;
  std::vector<const Idle*> ended;
  std::vector<const Idle*> without_pods;
  for (const Idle* each : idle) (each->end ? ended : without_pods).push_back(each);
  if (!ended.empty())
    found.remarks.push_back(
        {fmt::format("{} {} quota, and {} ended", listed(ended),
                     ended.size() == 1 ? "holds" : "hold", ended.size() == 1 ? "has" : "have")});
  if (!without_pods.empty())
    found.remarks.push_back(
        {without_pods.size() == 1
             ? listed(without_pods) + " holds quota and runs nothing: no pod of it waits or runs"
             : listed(without_pods) + " hold quota and run nothing: no pod of them waits or runs"});
  const auto& pods = cluster.shared<WorkloadPods>();
  if (std::any_of(without_pods.begin(), without_pods.end(),
                  [&](const Idle* each) { return !pods.is_owner_read(*each->workload); }))
    found.not_checked.emplace_back(
        "how the owners of workloads without pods have ended: their status is not read");
  if (const auto gone = enough_of(cluster, queue, waiting, idle); !gone.empty())
    found.fix = fix_of(gone);
  else
    for (auto each = idle.rbegin(); each != idle.rend() && found.advice.size() < 3; ++each)
      found.advice.push_back(
          {.summary = fmt::format("delete {} in {}, if it is of no use any more",
                                  target_of(*(*each)->workload), (*each)->workload->ns),
           .command = deletion_of(*(*each)->workload)});
}

}  // namespace

std::optional<IdleHolders> idle_holders(const scheduler::Cluster& cluster,
                                        const ClusterQueue& queue, const QueuedWorkload& waiting) {
  const Snapshot& snapshot = cluster.snapshot();
  if (!snapshot.taken_at || snapshot.pod_coverage != Coverage::whole) return std::nullopt;
  const std::vector<Idle> idle = idle_in(cluster, queue);
  if (idle.empty()) return std::nullopt;
  IdleHolders found;
  add_certain(found, cluster, queue, waiting, those_of(idle, is_certain));
  add_uncertain(found, those_of(idle, [](const Idle& each) { return !is_certain(each); }));
  return found;
}

}  // namespace gpu::admission
