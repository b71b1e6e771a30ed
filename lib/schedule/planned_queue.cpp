#include "schedule/planned_queue.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "schedule/kueue_index.hpp"
#include "schedule/kueue_quota.hpp"
#include "schedule/queue_assignment.hpp"

namespace gpu::schedule {
namespace {

/// Whether Kueue runs here, as far as its objects tell.
bool has_kueue(const SchedulingFacts& facts) {
  return !facts.local_queues.empty() || !facts.cluster_queues.empty() || !facts.workloads.empty() ||
         std::any_of(facts.namespaces.begin(), facts.namespaces.end(),
                     [](const Namespace& each) { return each.name == "kueue-system"; });
}

/// Whether something of the same queue was let in: then its namespace is.
bool lets_in_others(const SchedulingFacts& facts, const QueuedWorkload& planned) {
  return std::any_of(facts.workloads.begin(), facts.workloads.end(), [&](const auto& each) {
    return each.ns == planned.ns && each.queue == planned.queue && !each.cluster_queue.empty();
  });
}

bool knows_namespaces(const SchedulingFacts& facts) {
  return sight_of(facts, "namespaces") == Sight::whole;
}

/// Whether the quota of the queue's cohorts is known, with that of cohorts above them.
bool knows_cohort(const SchedulingFacts& facts, const ClusterQueue& queue) {
  return queue.cohort.empty() || sight_of(facts, "cohorts") == Sight::whole;
}

/// Whether the queue takes workloads of the namespace, as far as is known.
bool is_open_to(const SchedulingFacts& facts, const ClusterQueue& queue, const std::string& name) {
  if (!knows_namespaces(facts)) return true;
  const auto found = std::find_if(facts.namespaces.begin(), facts.namespaces.end(),
                                  [&](const Namespace& each) { return each.name == name; });
  // One that is made with what is planned has labels that nobody knows.
  if (found == facts.namespaces.end()) return true;
  return queue.namespace_selector && matches(*queue.namespace_selector, found->labels);
}

/// Beside quota: what else Kueue looks at before it admits.
std::vector<std::string> unseen(const SchedulingFacts& facts, const QueuedWorkload& planned,
                                const ClusterQueue& queue) {
  std::vector<std::string> all;
  if (!queue.admission_checks.empty())
    all.push_back(
        fmt::format("its admission checks ({})", fmt::join(queue.admission_checks, ", ")));
  if (sight_of(facts, "resourceflavors") != Sight::whole)
    all.emplace_back("whether its flavors are of nodes that the pods select and tolerate");
  else if (std::any_of(queue.quotas.begin(), queue.quotas.end(), [&](const FlavorQuota& quota) {
             const ResourceFlavor* const flavor = resource_flavor(facts, quota.flavor);
             return flavor != nullptr && !flavor->topology.empty();
           }))
    all.emplace_back("whether the topology of its flavors has places for all pods together");
  if (!knows_namespaces(facts) && !lets_in_others(facts, planned))
    all.emplace_back("whether it is open to this namespace");
  if (!knows_cohort(facts, queue))
    all.emplace_back("quotas of the cohort itself, and of those above it");
  return all;
}

/// Kueue would write what is missing into the workload: it is explained as it is later.
QueueHold hold_by_quota(const Cluster& cluster, const ClusterQueue& queue, QueuedWorkload planned,
                        const std::string& words) {
  Condition reserved{};
  reserved.type = "QuotaReserved";
  reserved.status = "False";
  reserved.reason = "Pending";
  reserved.message = "couldn't assign flavors to pod set main: " + words;
  planned.conditions.push_back(std::move(reserved));
  QueueHold hold = queue_hold(cluster, planned).value_or(QueueHold{});
  hold.summary = words;
  if (hold.advice.empty())
    hold.advice.push_back({.summary = "take a queue that has this resource, or leave it out"});
  if (knows_cohort(cluster.snapshot().scheduling, queue)) return hold;
  constexpr std::string_view kNever = ": the queue can never give that much";
  for (Advice& each : hold.advice)
    if (each.summary.ends_with(kNever)) {
      each.summary.erase(each.summary.size() - kNever.size());
      hold.nearest = "more than the queues of its cohort have";
    }
  return hold;
}

/// "Kueue has quota for it: of ClusterQueue cq, 4 of 8 nvidia.com/gpu in flavor h100 are reserved".
std::string quota_text(const QueueAssignment& assignment, const ClusterQueue& queue, bool is_sure) {
  std::string text = fmt::format(
      "{}: of ClusterQueue {}, {} are reserved",
      is_sure ? "Kueue has quota for it" : "Kueue may have quota for it, from its cohort too",
      queue.name, fmt::join(assignment.used(), ", "));
  for (const auto& [what, amount] : assignment.borrowed())
    text += fmt::format("; it borrows {} {} from cohort {}", amount, what, queue.cohort);
  return text;
}

}  // namespace

void add_taken(QueueTaken& all, const QueueTaken& more) {
  for (const auto& [key, amount] : more) all[key] = capped_sum(all[key], amount);
}

QueueOpinion queue_opinion(const Cluster& cluster, const QueuedWorkload& planned,
                           const QueueTaken& before) {
  const SchedulingFacts& facts = cluster.snapshot().scheduling;
  QueueOpinion opinion;
  if (sight_of(facts, "localqueues") != Sight::whole ||
      sight_of(facts, "clusterqueues") != Sight::whole) {
    opinion.not_checked.push_back(fmt::format(
        "what Kueue does with it, for its queue {}: no queues were read", planned.queue));
    return opinion;
  }
  if (!has_kueue(facts)) {
    opinion.remarks.push_back({fmt::format(
        "its queue {} has no effect: nothing of Kueue is in this cluster", planned.queue)});
    return opinion;
  }
  opinion.hold = hold_before_quota(cluster, planned);
  if (opinion.hold) return opinion;
  const auto& index = cluster.shared<KueueIndex>();
  const LocalQueue* const local = index.local_queue(planned);
  const ClusterQueue* const queue =
      local == nullptr ? nullptr : index.cluster_queue(local->cluster_queue);
  if (queue == nullptr) return opinion;
  opinion.is_sure = knows_cohort(facts, *queue);
  QueueAssignment assignment(facts, *queue, before);
  std::string words;
  if (!is_open_to(facts, *queue, planned.ns))
    words = "Workload namespace doesn't match ClusterQueue selector";
  for (const PodSet& set : planned.pod_sets)
    if (words.empty()) words = assignment.assign(set);
  std::vector<std::string> unknown = unseen(facts, planned, *queue);
  if (words.find("insufficient unused quota") != std::string::npos)
    unknown.emplace_back("whether Kueue would preempt others for it");
  if (words.find("unavailable in ClusterQueue") != std::string::npos)
    unknown.emplace_back("whether Kueue's configuration leaves that resource out");
  if (!unknown.empty())
    opinion.not_checked.push_back(
        fmt::format("of ClusterQueue {}, {}", queue->name, fmt::join(unknown, ", and ")));
  if (!words.empty()) {
    opinion.hold = hold_by_quota(cluster, *queue, planned, words);
    if (!assignment.gone().empty())
      opinion.hold->remarks.push_back(
          {fmt::format("what is planned before it is taken to be admitted, with {}",
                       fmt::join(assignment.gone(), ", "))});
    return opinion;
  }
  for (const auto& [key, amount] : assignment.taken())
    if (amount > 0) opinion.takes[{queue->name, key.first, key.second}] = amount;
  if (!assignment.is_known())
    opinion.not_checked.push_back("how much of the quota of ClusterQueue " + queue->name +
                                  " is reserved, which Kueue does not say");
  else if (!assignment.used().empty())
    opinion.remarks.push_back({quota_text(assignment, *queue, opinion.is_sure)});
  return opinion;
}

void add_queue_opinion(Explanation& answer, const QueueOpinion& opinion) {
  answer.not_checked.insert(answer.not_checked.end(), opinion.not_checked.begin(),
                            opinion.not_checked.end());
  answer.remarks.insert(answer.remarks.end(), opinion.remarks.begin(), opinion.remarks.end());
  if (!opinion.hold) return;
  const QueueHold& hold = *opinion.hold;
  std::vector<Remark> remarks = hold.remarks;
  remarks.push_back({"once it is admitted: " + answer.summary});
  answer.remarks.insert(answer.remarks.begin(), remarks.begin(), remarks.end());
  answer.advice.insert(answer.advice.begin(), hold.advice.begin(), hold.advice.end());
  answer.not_checked.insert(answer.not_checked.end(), hold.not_checked.begin(),
                            hold.not_checked.end());
  answer.is_blocked = true;
  answer.code = Code::held_by_queue;
  constexpr std::string_view kPassedOver = "Kueue does not look at it";
  answer.summary =
      hold.summary.starts_with(kPassedOver)
          ? "Kueue would not look at it" + hold.summary.substr(kPassedOver.size())
          : fmt::format("Kueue would hold it back{}: {}",
                        opinion.is_sure ? "" : ", as far as could be checked", hold.summary);
  answer.nearest = hold.nearest;
}

}  // namespace gpu::schedule
