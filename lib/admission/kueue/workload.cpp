#include "admission/kueue/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "admission/kueue/check.hpp"
#include "admission/kueue/idle_holders.hpp"
#include "admission/kueue/index.hpp"
#include "admission/kueue/quota_holders.hpp"
#include "base/text.hpp"
#include "base/time.hpp"

namespace gpu::admission {
namespace {

bool is_false(const std::vector<Condition>& conditions, std::string_view type) {
  const Condition* const condition = condition_of(conditions, type);
  return condition != nullptr && condition->status == "False";
}

/// What opens a queue again.
diagnose::Advice reopening(std::string_view kind, std::string_view name, std::string_view ns) {
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

std::optional<QueueHold> closed_cluster_queue(const KueueIndex& index, const LocalQueue& queue) {
  const ClusterQueue* const behind = index.cluster_queue(queue.cluster_queue);
  if (behind == nullptr)
    return QueueHold{.reason = fmt::format("the ClusterQueue {} of queue {} does not exist",
                                           queue.cluster_queue, queue.name),
                     .nearest = "ClusterQueue " + queue.cluster_queue + " does not exist",
                     .advice = {{.summary = "create the ClusterQueue, or a LocalQueue of one that "
                                            "exists"}}};
  if (is_stopped(behind->stop_policy))
    return QueueHold{.reason = fmt::format("the ClusterQueue {} is stopped (stopPolicy: {})",
                                           behind->name, behind->stop_policy),
                     .nearest = "ClusterQueue " + behind->name + " is stopped",
                     .advice = {reopening("clusterqueue", behind->name, {})}};
  if (!is_false(behind->conditions, "Active")) return std::nullopt;
  const Condition& active = *condition_of(behind->conditions, "Active");
  const std::string why = active.message.empty() ? active.reason : words_of(active);
  QueueHold hold{.reason = fmt::format("the ClusterQueue {} is not active: {}", behind->name, why),
                 .nearest = "ClusterQueue " + behind->name + " is not active"};
  if (active.reason == "FlavorNotFound")
    hold.advice.push_back(
        {.summary = "create the ResourceFlavor, or take it out of the ClusterQueue"});
  return hold;
}

/// Its own queue, or the ClusterQueue behind that, cannot admit anything.
std::optional<QueueHold> closed_queue(const scheduler::Cluster& cluster,
                                      const QueuedWorkload& workload) {
  const SchedulingFacts& facts = cluster.snapshot().scheduling;
  const auto& index = cluster.shared<KueueIndex>();
  if (coverage_of(facts, "localqueues") != Coverage::whole) return std::nullopt;
  const LocalQueue* const queue = index.local_queue(workload);
  if (queue == nullptr) {
    std::vector<std::string_view> names;
    for (const LocalQueue& each : facts.local_queues)
      if (each.ns == workload.ns) names.push_back(each.name);
    const auto near = nearest_name(workload.queue, names);
    return QueueHold{.reason = fmt::format("the queue {} does not exist in namespace {}",
                                           workload.queue, workload.ns),
                     .nearest = "queue " + workload.queue + " does not exist",
                     .advice = {{.summary = fmt::format(
                                     "create the LocalQueue, or correct the label "
                                     "kueue.x-k8s.io/queue-name{}",
                                     near ? fmt::format(": there is a queue {}", *near) : "")}}};
  }
  if (is_stopped(queue->stop_policy))
    return QueueHold{.reason = fmt::format("the queue {} is stopped (stopPolicy: {})", queue->name,
                                           queue->stop_policy),
                     .nearest = "queue " + queue->name + " is stopped",
                     .advice = {reopening("localqueue", queue->name, queue->ns)}};
  if (coverage_of(facts, "clusterqueues") != Coverage::whole) return std::nullopt;
  return closed_cluster_queue(index, *queue);
}

constexpr std::string_view kTooMuch = "insufficient quota";

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
    {kTooMuch, "more than its queue can ever give", {}},
    {"untolerated taint", "a taint of its queue's flavor",
     "tolerate the flavor's taint, or take a queue of another flavor"},
    {"doesn't match node affinity", "its queue has no flavor for its nodes",
     "select nodes of a flavor that the ClusterQueue has, or take a queue that has such a flavor"},
    {"doesn't match ClusterQueue selector", "its queue is closed to the namespace",
     "take a queue that is open to this namespace, or give the namespace the labels that the "
     "ClusterQueue's namespaceSelector requires"},
}};

/// Kueue has no word for it at all: it looks at a Workload within moments, where it runs and none
/// is before it.
QueueHold without_word(const scheduler::Cluster& cluster, const QueuedWorkload& workload) {
  constexpr std::chrono::seconds kMoments{30};
  const std::optional<Time>& now = cluster.snapshot().taken_at;
  QueueHold hold{.reason = "Kueue has not looked at it yet",
                 .nearest = "Kueue has not admitted it"};
  if (now && workload.created && *now - *workload.created < kMoments) return hold;
  if (now && workload.created)
    hold.reason = "Kueue has said nothing of it for " + human_duration(*now - *workload.created);
  hold.advice.push_back({.summary = "see whether Kueue's controller runs, and what it logs",
                         .command = "kubectl get pods -n kueue-system"});
  const SchedulingFacts& facts = cluster.snapshot().scheduling;
  for (const auto& [plural, kind] :
       {std::pair("localqueues", "LocalQueue"), std::pair("clusterqueues", "ClusterQueue")})
    if (coverage_of(facts, plural) != Coverage::whole)
      hold.not_checked.push_back(
          fmt::format("whether it is open, and who waits before it: no {} was read", kind));
  return hold;
}

/// Who holds quota and runs nothing will not end: to wait for it is no advice.
void add_idle_holders(QueueHold& hold, const scheduler::Cluster& cluster, const ClusterQueue& queue,
                      const QueuedWorkload& workload) {
  auto idle = idle_holders(cluster, queue, workload);
  if (!idle) return;
  const auto append = [](auto& to, auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  append(hold.remarks, idle->remarks);
  append(hold.not_checked, idle->not_checked);
  if (idle->fix) {
    hold.fixes.push_back(*std::move(idle->fix));
    hold.advice.clear();
    return;
  }
  idle->advice.insert(idle->advice.end(), hold.advice.begin(), hold.advice.end());
  hold.advice = std::move(idle->advice);
  if (idle->look) hold.advice.push_back(*std::move(idle->look));
}

QueueHold without_quota(const scheduler::Cluster& cluster, const QueuedWorkload& workload,
                        const Condition* reserved) {
  if (reserved == nullptr) return without_word(cluster, workload);
  // A snapshot without names leaves out messages that may hold some.
  if (reserved->message.empty())
    return {.reason = fmt::format("Kueue has not admitted it ({})", reserved->reason),
            .nearest = "Kueue has not admitted it"};
  QueueHold hold{.reason = "Kueue has not admitted it: " + why_without_quota(workload, *reserved),
                 .nearest = "Kueue has not admitted it"};
  const auto* const meaning = std::find_if(
      kMeanings.begin(), kMeanings.end(),
      [&](const Meaning& each) { return reserved->message.find(each.part) != std::string::npos; });
  if (meaning == kMeanings.end()) return hold;
  hold.nearest = meaning->nearest;
  hold.exceeds_queue = meaning->part == kTooMuch;
  hold.advice.push_back(
      hold.exceeds_queue
          ? ask_for_less(diagnose::Certainty::sure)
          : diagnose::Advice{.summary = std::string(meaning->advice), .command = {}});
  if (reserved->message.find("insufficient unused quota") == std::string::npos) return hold;
  const auto& index = cluster.shared<KueueIndex>();
  const LocalQueue* const queue = index.local_queue(workload);
  if (queue == nullptr) return hold;
  hold.advice.back().summary =
      fmt::format("wait until workloads of ClusterQueue {} end, or raise its nominalQuota",
                  queue->cluster_queue);
  const ClusterQueue* const behind = index.cluster_queue(queue->cluster_queue);
  if (behind == nullptr) return hold;
  if (!behind->cohort.empty())
    hold.advice.back().summary = fmt::format(
        "wait until workloads of ClusterQueue {} or of its cohort {} end, or raise its "
        "nominalQuota",
        behind->name, behind->cohort);
  hold.remarks = quota_remarks(cluster, *behind, reserved->message);
  add_idle_holders(hold, cluster, *behind, workload);
  return hold;
}

/// That it ran before, and for whom it had to go: Kueue names that one by its uid.
void add_eviction(QueueHold& hold, const KueueIndex& index, const QueuedWorkload& workload) {
  if (!is_true(workload.conditions, "Evicted")) return;
  const Condition& evicted = *condition_of(workload.conditions, "Evicted");
  std::string text = fmt::format("Kueue evicted it before ({})", evicted.reason);
  constexpr std::string_view kBefore = "UID: ";
  if (const std::size_t at = evicted.message.find(kBefore); at != std::string::npos) {
    const std::string_view uid = std::string_view(evicted.message).substr(at + kBefore.size());
    if (const auto* other = index.workload_with(uid.substr(0, uid.find_first_of(",) "))))
      text += ", for " + shown_name(*other);
  }
  if (!evicted.message.empty()) text += ": " + words_of(evicted);
  hold.remarks.push_back({std::move(text)});
}

QueueHold switched_off(const QueuedWorkload& workload) {
  QueueHold hold{
      .reason = fmt::format("the Workload {} is switched off (spec.active: false)", workload.name),
      .nearest = "its Workload is switched off"};
  diagnose::Advice again{
      .summary = "switch it on again",
      .command = fmt::format("kubectl patch workloads.kueue.x-k8s.io {} -n {} --type merge -p "
                             "'{{\"spec\":{{\"active\":true}}}}'",
                             shell_quoted(workload.name), shell_quoted(workload.ns))};
  if (const AdmissionCheck* const check = rejecting_check(workload)) {
    hold.reason = fmt::format(
        "the admission check {} rejected it, so Kueue switched its Workload off", check->name);
    hold.nearest = fmt::format("admission check {} rejected it", check->name);
    hold.advice.push_back(advice_to_ask(*check));
    again.summary = "switch it on again once the check would pass";
  }
  hold.advice.push_back(std::move(again));
  return hold;
}

std::optional<QueueHold> waits_behind(const scheduler::Cluster& cluster,
                                      const QueuedWorkload& workload) {
  const auto& index = cluster.shared<KueueIndex>();
  const QueuedWorkload* const head = index.head_before(workload);
  if (head == nullptr) return std::nullopt;
  return held_behind(*head, index.local_queue(workload)->cluster_queue);
}

QueueHold hold_of(const scheduler::Cluster& cluster, const QueuedWorkload& workload) {
  if (!workload.is_active) return switched_off(workload);
  if (auto closed = closed_queue(cluster, workload)) return *std::move(closed);
  if (is_true(workload.conditions, "QuotaReserved")) return unchecked(workload);
  const Condition* const reserved = condition_of(workload.conditions, "QuotaReserved");
  if (reserved == nullptr)
    if (auto behind = waits_behind(cluster, workload)) return *std::move(behind);
  return without_quota(cluster, workload, reserved);
}

}  // namespace

std::string text_of(const QueueHold& hold) {
  return hold.kind == HoldKind::passed_over ? "Kueue does not look at it: " + hold.reason
                                            : hold.reason;
}

std::string text_if_created(const QueueHold& hold, diagnose::Certainty certainty) {
  if (hold.kind == HoldKind::passed_over) return "Kueue would not look at it: " + hold.reason;
  return fmt::format("Kueue would hold it back{}: {}",
                     certainty == diagnose::Certainty::sure ? "" : ", as far as could be checked",
                     hold.reason);
}

diagnose::Advice ask_for_less(diagnose::Certainty certainty) {
  std::string summary = "request less, or raise nominalQuota or the borrowing limit";
  if (certainty == diagnose::Certainty::sure) summary += ": the queue can never give that much";
  return {.summary = std::move(summary), .command = {}, .kind = diagnose::AdviceKind::edit};
}

QueueHold held_behind(const QueuedWorkload& head, const std::string& queue) {
  QueueHold hold{
      .kind = HoldKind::passed_over,
      .reason = fmt::format("{} waits before it in the StrictFIFO ClusterQueue {}",
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

std::optional<QueueHold> hold_before_quota(const scheduler::Cluster& cluster,
                                           const QueuedWorkload& workload) {
  if (auto closed = closed_queue(cluster, workload)) return closed;
  return waits_behind(cluster, workload);
}

std::optional<QueueHold> queue_hold(const scheduler::Cluster& cluster,
                                    const QueuedWorkload& workload) {
  if (is_true(workload.conditions, "Finished")) return std::nullopt;
  if (workload.is_active && is_true(workload.conditions, "Admitted")) return std::nullopt;
  QueueHold hold = hold_of(cluster, workload);
  add_eviction(hold, cluster.shared<KueueIndex>(), workload);
  return hold;
}

const QueuedWorkload* workload_of(const scheduler::Cluster& cluster, std::string_view ns,
                                  std::string_view kind, std::string_view name,
                                  std::string_view uid) {
  return cluster.shared<KueueIndex>().workload_of(ns, kind, name, uid);
}

const QueuedWorkload* workload_of(const scheduler::Cluster& cluster, const Pod& pod) {
  if (const auto* own = workload_of(cluster, pod.ns, "Pod", pod.name, pod.uid)) return own;
  for (const OwnerReference& owner : pod.owners)
    if (const auto* its = workload_of(cluster, pod.ns, owner.kind, owner.name, owner.uid))
      return its;
  const Owner top = top_owner(pod, cluster.snapshot());
  return workload_of(cluster, pod.ns, top.kind, top.name, top.uid);
}

}  // namespace gpu::admission
