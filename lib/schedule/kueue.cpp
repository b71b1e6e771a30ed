#include "schedule/kueue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "base/text.hpp"
#include "schedule/kueue_check.hpp"
#include "schedule/kueue_quota.hpp"

namespace gpu::schedule {
namespace {

const Condition* condition_of(const std::vector<Condition>& conditions, std::string_view type) {
  const auto found = std::find_if(conditions.begin(), conditions.end(),
                                  [&](const Condition& each) { return each.type == type; });
  return found == conditions.end() ? nullptr : &*found;
}

bool is_true(const std::vector<Condition>& conditions, std::string_view type) {
  const Condition* const condition = condition_of(conditions, type);
  return condition != nullptr && condition->status == "True";
}

bool is_false(const std::vector<Condition>& conditions, std::string_view type) {
  const Condition* const condition = condition_of(conditions, type);
  return condition != nullptr && condition->status == "False";
}

const LocalQueue* local_queue(const SchedulingFacts& facts, const QueuedWorkload& workload) {
  const auto& queues = facts.local_queues;
  const auto found = std::find_if(queues.begin(), queues.end(), [&](const LocalQueue& each) {
    return each.ns == workload.ns && each.name == workload.queue;
  });
  return found == queues.end() ? nullptr : &*found;
}

const ClusterQueue* cluster_queue(const SchedulingFacts& facts, std::string_view name) {
  const auto& queues = facts.cluster_queues;
  const auto found = std::find_if(queues.begin(), queues.end(),
                                  [&](const ClusterQueue& each) { return each.name == name; });
  return found == queues.end() ? nullptr : &*found;
}

bool is_stopped(std::string_view policy) { return policy == "Hold" || policy == "HoldAndDrain"; }

/// What opens a queue again.
Advice reopening(std::string_view kind, std::string_view name, std::string_view ns) {
  const std::string place = ns.empty() ? "" : " -n " + shell_quoted(ns);
  return {.summary = "let it admit again, if whoever stopped it agrees",
          .command = fmt::format(
              "kubectl patch {} {}{} --type merge -p '{{\"spec\":{{\"stopPolicy\":\"None\"}}}}'",
              kind, shell_quoted(name), place)};
}

/// Without the full stop that Kueue ends some messages with.
std::string words_of(const Condition& condition) {
  std::string words = condition.message;
  if (words.ends_with('.')) words.pop_back();
  return words;
}

/// "{team vision NoSchedule <nil>}", as Go prints a taint, in the form that kubectl takes.
void rewrite_taint(std::string& words) {
  constexpr std::string_view kStart = "untolerated taint {";
  constexpr std::string_view kEnd = " <nil>}";
  const std::size_t start = words.find(kStart);
  const std::size_t end = words.find(kEnd, start);
  if (start == std::string::npos || end == std::string::npos) return;
  const std::size_t open = start + kStart.size();
  const std::string taint = words.substr(open, end - open);
  const std::size_t first = taint.find(' ');
  const std::size_t last = taint.rfind(' ');
  if (first == std::string::npos) return;
  const std::string value = last > first ? taint.substr(first + 1, last - first - 1) : "";
  words.replace(
      open - 1, end + kEnd.size() - open + 1,
      taint.substr(0, first) + (value.empty() ? "" : "=" + value) + ":" + taint.substr(last + 1));
}

/// Kueue's words for why no quota is reserved. Of a Job, which has one set of pods, the lead says
/// nothing more.
std::string why_without_quota(const QueuedWorkload& workload, const Condition& reserved) {
  constexpr std::string_view kLead = "couldn't assign flavors to pod set main: ";
  std::string words = words_of(reserved);
  if (workload.pod_sets.size() == 1 && words.starts_with(kLead)) words.erase(0, kLead.size());
  rewrite_taint(words);
  return words;
}

std::optional<QueueHold> closed_cluster_queue(const SchedulingFacts& facts,
                                              const LocalQueue& queue) {
  const ClusterQueue* const behind = cluster_queue(facts, queue.cluster_queue);
  if (behind == nullptr)
    return QueueHold{.summary = fmt::format("the ClusterQueue {} of queue {} does not exist",
                                            queue.cluster_queue, queue.name),
                     .nearest = "ClusterQueue " + queue.cluster_queue + " does not exist",
                     .advice = {{.summary = "make the ClusterQueue, or a LocalQueue of one that "
                                            "exists"}}};
  if (is_stopped(behind->stop_policy))
    return QueueHold{.summary = fmt::format("the ClusterQueue {} is stopped (stopPolicy: {})",
                                            behind->name, behind->stop_policy),
                     .nearest = "ClusterQueue " + behind->name + " is stopped",
                     .advice = {reopening("clusterqueue", behind->name, {})}};
  if (!is_false(behind->conditions, "Active")) return std::nullopt;
  const Condition& active = *condition_of(behind->conditions, "Active");
  const std::string why = active.message.empty() ? active.reason : words_of(active);
  QueueHold hold{.summary = fmt::format("the ClusterQueue {} is not active: {}", behind->name, why),
                 .nearest = "ClusterQueue " + behind->name + " is not active"};
  if (active.reason == "FlavorNotFound")
    hold.advice.push_back(
        {.summary = "make the ResourceFlavor, or take it out of the ClusterQueue"});
  return hold;
}

/// Its own queue, or the ClusterQueue behind that, cannot admit anything.
std::optional<QueueHold> closed_queue(const SchedulingFacts& facts,
                                      const QueuedWorkload& workload) {
  if (sight_of(facts, "localqueues") != Sight::whole) return std::nullopt;
  const LocalQueue* const queue = local_queue(facts, workload);
  if (queue == nullptr)
    return QueueHold{.summary = fmt::format("the queue {} does not exist in namespace {}",
                                            workload.queue, workload.ns),
                     .nearest = "queue " + workload.queue + " does not exist",
                     .advice = {{.summary = "make the LocalQueue, or correct the label "
                                            "kueue.x-k8s.io/queue-name"}}};
  if (is_stopped(queue->stop_policy))
    return QueueHold{.summary = fmt::format("the queue {} is stopped (stopPolicy: {})", queue->name,
                                            queue->stop_policy),
                     .nearest = "queue " + queue->name + " is stopped",
                     .advice = {reopening("localqueue", queue->name, queue->ns)}};
  if (sight_of(facts, "clusterqueues") != Sight::whole) return std::nullopt;
  return closed_cluster_queue(facts, *queue);
}

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

/// An older workload of the same ClusterQueue that is not admitted: with StrictFIFO nobody behind
/// it is looked at.
const QueuedWorkload* head_of_queue(const SchedulingFacts& facts, const QueuedWorkload& workload) {
  const LocalQueue* const queue = local_queue(facts, workload);
  if (queue == nullptr) return nullptr;
  const ClusterQueue* const behind = cluster_queue(facts, queue->cluster_queue);
  if (behind == nullptr || behind->strategy != "StrictFIFO") return nullptr;
  const QueuedWorkload* head = nullptr;
  for (const QueuedWorkload& other : facts.workloads) {
    const LocalQueue* const its = local_queue(facts, other);
    if (&other == &workload || its == nullptr || its->cluster_queue != queue->cluster_queue ||
        !stands_in_queue(other, *its))
      continue;
    const auto rank = [](const QueuedWorkload& each) {
      return std::tuple(-each.priority.value_or(0), each.created.value_or(Time::max()), each.uid);
    };
    if (rank(other) < rank(workload) && (head == nullptr || rank(other) < rank(*head)))
      head = &other;
  }
  return head;
}

QueueHold blocked_by(const QueuedWorkload& head, const std::string& queue) {
  QueueHold hold{
      .summary = fmt::format("Kueue does not look at it: {} waits before it in the StrictFIFO "
                             "ClusterQueue {}",
                             shown_name(head), queue),
      .nearest = "behind " + shown_name(head),
      .advice = {{.summary =
                      "let others pass the one that waits, or make one ClusterQueue for each "
                      "kind of GPU",
                  .command = fmt::format("kubectl patch clusterqueue {} --type merge -p "
                                         "'{{\"spec\":{{\"queueingStrategy\":"
                                         "\"BestEffortFIFO\"}}}}'",
                                         shell_quoted(queue))}}};
  if (const Condition* why = condition_of(head.conditions, "QuotaReserved");
      why != nullptr && !why->message.empty())
    hold.remarks.push_back(
        {fmt::format("{} waits because: {}", shown_name(head), why_without_quota(head, *why))});
  return hold;
}

/// What a part of Kueue's words means. Of several, for several flavors, the first is what is
/// nearest to being admitted.
struct Meaning {
  std::string_view part;
  std::string_view nearest;
  std::string_view advice;
};
constexpr std::array<Meaning, 5> kMeanings = {{
    {"insufficient unused quota", "Kueue has not admitted it",
     "wait until workloads of its ClusterQueue end, or raise its nominalQuota"},
    {"insufficient quota", "more than its queue can ever give",
     "ask for less, or raise nominalQuota or the borrowing limit: the queue can never give that "
     "much"},
    {"untolerated taint", "a taint of its queue's flavor",
     "tolerate the flavor's taint, or take a queue of another flavor"},
    {"doesn't match node affinity", "its queue has no flavor for its nodes",
     "ask for nodes of a flavor that the ClusterQueue has, or take a queue that has such a flavor"},
    {"doesn't match ClusterQueue selector", "its queue is closed to the namespace",
     "take a queue that is open to this namespace, or give the namespace the labels that the "
     "ClusterQueue's namespaceSelector asks for"},
}};

QueueHold without_quota(const SchedulingFacts& facts, const QueuedWorkload& workload,
                        const Condition* reserved) {
  if (reserved == nullptr)
    return {.summary = "Kueue has not looked at it yet", .nearest = "Kueue has not admitted it"};
  // A snapshot without names leaves out messages that may hold some.
  if (reserved->message.empty())
    return {.summary = fmt::format("Kueue has not admitted it ({})", reserved->reason),
            .nearest = "Kueue has not admitted it"};
  QueueHold hold{.summary = "Kueue has not admitted it: " + why_without_quota(workload, *reserved),
                 .nearest = "Kueue has not admitted it"};
  const auto* const meaning = std::find_if(
      kMeanings.begin(), kMeanings.end(),
      [&](const Meaning& each) { return reserved->message.find(each.part) != std::string::npos; });
  if (meaning == kMeanings.end()) return hold;
  hold.nearest = meaning->nearest;
  hold.advice.push_back({.summary = std::string(meaning->advice), .command = {}});
  if (reserved->message.find("insufficient unused quota") == std::string::npos) return hold;
  const LocalQueue* const queue = local_queue(facts, workload);
  if (queue == nullptr) return hold;
  hold.advice.back().summary =
      fmt::format("wait until workloads of ClusterQueue {} end, or raise its nominalQuota",
                  queue->cluster_queue);
  if (const ClusterQueue* const behind = cluster_queue(facts, queue->cluster_queue))
    hold.remarks = quota_remarks(facts, *behind, reserved->message);
  return hold;
}

/// That it ran before, and for whom it had to go: Kueue names that one by its uid.
void add_eviction(QueueHold& hold, const SchedulingFacts& facts, const QueuedWorkload& workload) {
  if (!is_true(workload.conditions, "Evicted")) return;
  const Condition& evicted = *condition_of(workload.conditions, "Evicted");
  std::string text = fmt::format("Kueue evicted it before ({})", evicted.reason);
  for (const QueuedWorkload& other : facts.workloads)
    if (!other.uid.empty() && evicted.message.find("UID: " + other.uid) != std::string::npos) {
      text += ", for " + shown_name(other);
      break;
    }
  if (!evicted.message.empty()) text += ": " + words_of(evicted);
  hold.remarks.push_back({std::move(text)});
}

QueueHold switched_off(const QueuedWorkload& workload) {
  QueueHold hold{
      .summary = fmt::format("the Workload {} is switched off (spec.active: false)", workload.name),
      .nearest = "its Workload is switched off"};
  Advice again{
      .summary = "switch it on again",
      .command = fmt::format("kubectl patch workloads.kueue.x-k8s.io {} -n {} --type merge -p "
                             "'{{\"spec\":{{\"active\":true}}}}'",
                             shell_quoted(workload.name), shell_quoted(workload.ns))};
  if (const AdmissionCheck* const check = rejecting_check(workload)) {
    hold.summary = fmt::format(
        "the admission check {} rejected it, so Kueue switched its Workload off", check->name);
    hold.nearest = fmt::format("admission check {} rejected it", check->name);
    hold.advice.push_back(advice_to_ask(*check));
    again.summary = "switch it on again once the check would pass";
  }
  hold.advice.push_back(std::move(again));
  return hold;
}

QueueHold hold_of(const SchedulingFacts& facts, const QueuedWorkload& workload) {
  if (!workload.is_active) return switched_off(workload);
  if (auto closed = closed_queue(facts, workload)) return *std::move(closed);
  if (is_true(workload.conditions, "QuotaReserved")) return unchecked(workload);
  const Condition* const reserved = condition_of(workload.conditions, "QuotaReserved");
  const QueuedWorkload* const head = head_of_queue(facts, workload);
  if (head == nullptr || reserved != nullptr) return without_quota(facts, workload, reserved);
  return blocked_by(*head, local_queue(facts, workload)->cluster_queue);
}

}  // namespace

std::optional<QueueHold> queue_hold(const Cluster& cluster, const QueuedWorkload& workload) {
  const SchedulingFacts& facts = cluster.snapshot().scheduling;
  if (is_true(workload.conditions, "Finished")) return std::nullopt;
  if (workload.is_active && is_true(workload.conditions, "Admitted")) return std::nullopt;
  QueueHold hold = hold_of(facts, workload);
  add_eviction(hold, facts, workload);
  return hold;
}

const QueuedWorkload* workload_of(const Cluster& cluster, std::string_view ns,
                                  std::string_view kind, std::string_view name,
                                  std::string_view uid) {
  for (const QueuedWorkload& workload : cluster.snapshot().scheduling.workloads) {
    if (workload.ns != ns) continue;
    for (const OwnerReference& owner : workload.owners) {
      const bool is_it = !uid.empty() && !owner.uid.empty()
                             ? owner.uid == uid
                             : owner.kind == kind && owner.name == name;
      if (is_it) return &workload;
    }
  }
  return nullptr;
}

const QueuedWorkload* workload_of(const Cluster& cluster, const Pod& pod) {
  if (const auto* own = workload_of(cluster, pod.ns, "Pod", pod.name, pod.uid)) return own;
  for (const OwnerReference& owner : pod.owners)
    if (const auto* its = workload_of(cluster, pod.ns, owner.kind, owner.name, owner.uid))
      return its;
  const Owner top = top_owner(pod, cluster.snapshot());
  return workload_of(cluster, pod.ns, top.kind, top.name, top.uid);
}

}  // namespace gpu::schedule
