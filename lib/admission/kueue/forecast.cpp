#include "admission/kueue/forecast.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "admission/kueue/assignment.hpp"
#include "admission/kueue/index.hpp"
#include "admission/kueue/quota_holders.hpp"

namespace gpu::admission {
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
  return coverage_of(facts, "namespaces") == Coverage::whole;
}

/// Whether the quota of the queue's cohorts is known, with that of cohorts above them.
bool knows_cohort(const SchedulingFacts& facts, const ClusterQueue& queue) {
  return queue.cohort.empty() || coverage_of(facts, "cohorts") == Coverage::whole;
}

const Namespace* namespace_called(const SchedulingFacts& facts, const std::string& name) {
  const auto found = std::find_if(facts.namespaces.begin(), facts.namespaces.end(),
                                  [&](const Namespace& each) { return each.name == name; });
  return found == facts.namespaces.end() ? nullptr : &*found;
}

/// Whether the queue takes workloads of the namespace. Nothing where its labels are not known: it
/// was not read, or is made with what is planned.
std::optional<bool> is_open_to(const SchedulingFacts& facts, const ClusterQueue& queue,
                               const std::string& name) {
  const Namespace* const found = namespace_called(facts, name);
  if (!knows_namespaces(facts) || found == nullptr) return std::nullopt;
  return queue.namespace_selector && matches(*queue.namespace_selector, found->labels);
}

/// Beside quota: what else Kueue looks at before it admits.
std::vector<std::string> unseen(const SchedulingFacts& facts, const QueuedWorkload& planned,
                                const ClusterQueue& queue) {
  std::vector<std::string> all;
  if (!queue.admission_checks.empty())
    all.push_back(
        fmt::format("its admission checks ({})", fmt::join(queue.admission_checks, ", ")));
  if (coverage_of(facts, "resourceflavors") != Coverage::whole)
    all.emplace_back("whether its flavors are of nodes that the pods select and tolerate");
  else if (std::any_of(queue.quotas.begin(), queue.quotas.end(), [&](const FlavorQuota& quota) {
             const ResourceFlavor* const flavor = resource_flavor(facts, quota.flavor);
             return flavor != nullptr && !flavor->topology.empty();
           }))
    all.emplace_back("whether the topology of its flavors has places for all pods together");
  if (!is_open_to(facts, queue, planned.ns) && !lets_in_others(facts, planned))
    all.emplace_back("whether it is open to this namespace");
  if (!knows_cohort(facts, queue))
    all.emplace_back("quotas of the cohort itself, and of those above it");
  return all;
}

/// Kueue would write what is missing into the workload: it is explained as it is later.
QueueHold hold_by_quota(const scheduler::Cluster& cluster, const ClusterQueue& queue,
                        QueuedWorkload planned, const std::string& words) {
  Condition reserved{};
  reserved.type = "QuotaReserved";
  reserved.status = "False";
  reserved.reason = "Pending";
  reserved.message = "couldn't assign flavors to pod set main: " + words;
  planned.conditions.push_back(std::move(reserved));
  QueueHold hold = queue_hold(cluster, planned).value_or(QueueHold{});
  hold.kind = HoldKind::refused;
  hold.reason = words;
  if (hold.advice.empty())
    hold.advice.push_back(
        {.summary = "take a queue that has this resource, or request none of it, also by a "
                    "LimitRange or a RuntimeClass"});
  if (!hold.exceeds_queue || knows_cohort(cluster.snapshot().scheduling, queue)) return hold;
  hold.advice = {ask_for_less(diagnose::Certainty::as_far_as_checked)};
  hold.nearest = "more than the queues of its cohort have";
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

/// The ClusterQueue that Kueue would look for quota in. Null: the opinion says why it does not.
const ClusterQueue* queue_behind(const scheduler::Cluster& cluster, const QueuedWorkload& planned,
                                 QueueOpinion& opinion) {
  const SchedulingFacts& facts = cluster.snapshot().scheduling;
  if (coverage_of(facts, "localqueues") != Coverage::whole ||
      coverage_of(facts, "clusterqueues") != Coverage::whole) {
    opinion.not_checked.push_back(fmt::format(
        "what Kueue does with it, for its queue {}: no queues were read", planned.queue));
    return nullptr;
  }
  if (!has_kueue(facts)) {
    opinion.remarks.push_back({fmt::format(
        "its queue {} has no effect: nothing of Kueue is in this cluster", planned.queue)});
    return nullptr;
  }
  opinion.hold = hold_before_quota(cluster, planned);
  if (opinion.hold) return nullptr;
  const auto& index = cluster.shared<KueueIndex>();
  const LocalQueue* const local = index.local_queue(planned);
  const ClusterQueue* const queue =
      local == nullptr ? nullptr : index.cluster_queue(local->cluster_queue);
  if (queue == nullptr) return nullptr;
  opinion.cluster_queue = queue->name;
  opinion.is_sure = knows_cohort(facts, *queue);
  if (!cluster.shared<CohortTree>().is_circle(*queue)) return queue;
  opinion.hold =
      QueueHold{.reason = fmt::format(
                    "cohort {} of ClusterQueue {} is above itself, and Kueue admits nothing there",
                    queue->cohort, queue->name),
                .nearest = "a circle of cohorts",
                .advice = {{.summary = "give the cohorts parents that are not below them",
                            .command = "kubectl get cohorts.kueue.x-k8s.io -o yaml"}}};
  return nullptr;
}

void add_unseen(QueueOpinion& opinion, const SchedulingFacts& facts, const QueuedWorkload& planned,
                const ClusterQueue& queue, const QueueAssignment& assignment) {
  std::vector<std::string> unknown = unseen(facts, planned, queue);
  if (assignment.lacks_unused_quota())
    unknown.emplace_back("whether Kueue would preempt others for it");
  if (assignment.lacks_resource())
    unknown.emplace_back("whether Kueue's configuration leaves that resource out");
  if (!unknown.empty())
    opinion.not_checked.push_back(
        fmt::format("of ClusterQueue {}, {}", queue.name, fmt::join(unknown, ", and ")));
}

/// `words` say why there is no quota; empty: there is.
void conclude(QueueOpinion& opinion, const scheduler::Cluster& cluster,
              const QueuedWorkload& planned, const ClusterQueue& queue,
              const QueueAssignment& assignment, const std::string& words) {
  add_unseen(opinion, cluster.snapshot().scheduling, planned, queue, assignment);
  opinion.given = assignment.given();
  if (!words.empty()) {
    opinion.hold = hold_by_quota(cluster, queue, planned, words);
    opinion.is_head = queue.strategy == "StrictFIFO";
    if (!assignment.gone().empty())
      opinion.hold->remarks.push_back(
          {fmt::format("what is planned before it is taken to be admitted, with {}",
                       fmt::join(assignment.gone(), ", "))});
    return;
  }
  if (!assignment.is_known())
    opinion.not_checked.push_back("how much of the quota of ClusterQueue " + queue.name +
                                  " is reserved, which Kueue does not say");
  else if (!assignment.used().empty())
    opinion.remarks.push_back({quota_text(assignment, queue, opinion.is_sure)});
}

void take(QueueOpinion& opinion, const QueueAssignment& assignment) {
  for (const auto& [key, amount] : assignment.taken())
    if (amount > 0) opinion.takes[{opinion.cluster_queue, key.first, key.second}] = amount;
}

/// Kueue's words where the namespace is not let in.
std::string words_of_namespace(const scheduler::Cluster& cluster, const QueuedWorkload& planned,
                               const ClusterQueue& queue) {
  return is_open_to(cluster.snapshot().scheduling, queue, planned.ns) == false
             ? "Workload namespace doesn't match ClusterQueue selector"
             : "";
}

}  // namespace

void add_taken(QueueTaken& all, const QueueTaken& more) {
  for (const auto& [key, amount] : more) all[key] = capped_sum(all[key], amount);
}

QueueOpinion queue_opinion(const scheduler::Cluster& cluster, const QueuedWorkload& planned,
                           const QueueTaken& before) {
  QueueOpinion opinion;
  const ClusterQueue* const queue = queue_behind(cluster, planned, opinion);
  if (queue == nullptr) return opinion;
  QueueAssignment assignment(cluster, *queue, before);
  std::string words = words_of_namespace(cluster, planned, *queue);
  const bool has_several = planned.pod_sets.size() > 1;
  for (const PodSet& set : planned.pod_sets) {
    if (!words.empty()) break;
    words = assignment.assign(set);
    if (!words.empty() && has_several) words = set.name + ": " + words;
  }
  conclude(opinion, cluster, planned, *queue, assignment, words);
  if (words.empty()) {
    take(opinion, assignment);
    return opinion;
  }
  opinion.given.clear();
  for (const PodSet& set : planned.pod_sets) opinion.given.push_back(assignment.only_place(set));
  return opinion;
}

QueueOpinion each_queue_opinion(const scheduler::Cluster& cluster, const QueuedWorkload& planned,
                                std::int64_t count, const QueueTaken& before) {
  QueueOpinion opinion;
  const ClusterQueue* const queue = queue_behind(cluster, planned, opinion);
  if (queue == nullptr) {
    if (!opinion.hold) opinion.admitted = count;
    return opinion;
  }
  QueueAssignment assignment(cluster, *queue, before);
  std::string words = words_of_namespace(cluster, planned, *queue);
  while (words.empty() && opinion.admitted < count) {
    words = assignment.assign(planned.pod_sets.front());
    if (words.empty()) ++opinion.admitted;
  }
  conclude(opinion, cluster, planned, *queue, assignment, words);
  take(opinion, assignment);
  if (opinion.given.empty())
    opinion.given.push_back(assignment.only_place(planned.pod_sets.front()));
  return opinion;
}

void add_queue_opinion(diagnose::Explanation& answer, const QueueOpinion& opinion) {
  answer.not_checked.insert(answer.not_checked.end(), opinion.not_checked.begin(),
                            opinion.not_checked.end());
  answer.remarks.insert(answer.remarks.end(), opinion.remarks.begin(), opinion.remarks.end());
  if (!opinion.hold) return;
  const QueueHold& hold = *opinion.hold;
  std::vector<diagnose::Remark> remarks = hold.remarks;
  remarks.push_back({"once it is admitted: " + answer.summary});
  answer.remarks.insert(answer.remarks.begin(), remarks.begin(), remarks.end());
  answer.advice.insert(answer.advice.begin(), hold.advice.begin(), hold.advice.end());
  answer.not_checked.insert(answer.not_checked.end(), hold.not_checked.begin(),
                            hold.not_checked.end());
  answer.is_blocked = true;
  answer.code = diagnose::Code::held_by_queue;
  answer.headline.reset();
  answer.summary = text_if_created(
      hold, opinion.is_sure ? diagnose::Certainty::sure : diagnose::Certainty::as_far_as_checked);
  answer.nearest = hold.nearest;
}

}  // namespace gpu::admission
