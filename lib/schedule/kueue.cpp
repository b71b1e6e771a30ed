#include "schedule/kueue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

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
                     .nearest = "queue " + queue->name + " is stopped"};
  if (sight_of(facts, "clusterqueues") != Sight::whole) return std::nullopt;
  const ClusterQueue* const behind = cluster_queue(facts, queue->cluster_queue);
  if (behind == nullptr)
    return QueueHold{.summary = fmt::format("the ClusterQueue {} of queue {} does not exist",
                                            queue->cluster_queue, queue->name),
                     .nearest = "ClusterQueue " + queue->cluster_queue + " does not exist"};
  if (is_stopped(behind->stop_policy))
    return QueueHold{.summary = fmt::format("the ClusterQueue {} is stopped (stopPolicy: {})",
                                            behind->name, behind->stop_policy),
                     .nearest = "ClusterQueue " + behind->name + " is stopped"};
  if (!is_false(behind->conditions, "Active")) return std::nullopt;
  return QueueHold{.summary = fmt::format("the ClusterQueue {} is not active: {}", behind->name,
                                          condition_of(behind->conditions, "Active")->message),
                   .nearest = "ClusterQueue " + behind->name + " is not active"};
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
    const bool waits = other.is_active && !is_true(other.conditions, "QuotaReserved") &&
                       !is_true(other.conditions, "Finished");
    if (&other == &workload || !waits || its == nullptr ||
        its->cluster_queue != queue->cluster_queue)
      continue;
    const auto rank = [](const QueuedWorkload& each) {
      return std::pair(-each.priority.value_or(0), each.created.value_or(Time::max()));
    };
    if (rank(other) < rank(workload) && (head == nullptr || rank(other) < rank(*head)))
      head = &other;
  }
  return head;
}

std::string name_of(const QueuedWorkload& workload) {
  if (workload.owners.empty()) return workload.ns + "/" + workload.name;
  return workload.ns + "/" + workload.owners.front().name;
}

QueueHold blocked_by(const QueuedWorkload& head) {
  QueueHold hold{
      .summary = fmt::format("Kueue does not look at it: {} waits before it in a StrictFIFO queue",
                             name_of(head)),
      .nearest = "behind " + name_of(head),
      .advice = {{.summary = "use BestEffortFIFO, or one ClusterQueue for each kind of GPU"}}};
  if (const Condition* why = condition_of(head.conditions, "QuotaReserved");
      why != nullptr && !why->message.empty())
    hold.remarks.push_back({fmt::format("{} waits because: {}", name_of(head), why->message)});
  return hold;
}

QueueHold without_quota(const QueuedWorkload& workload, const Condition* reserved) {
  if (reserved == nullptr || reserved->message.empty())
    return {.summary = "Kueue has not looked at it yet", .nearest = "Kueue has not admitted it"};
  QueueHold hold{.summary = "Kueue has not admitted it: " + reserved->message,
                 .nearest = "Kueue has not admitted it"};
  if (reserved->message.find("insufficient quota") != std::string::npos)
    hold.advice.push_back(
        {.summary = "ask for less, or raise nominalQuota or the borrowing limit: the queue can "
                    "never give that much"});
  else if (reserved->message.find("insufficient unused quota") != std::string::npos)
    hold.advice.push_back({.summary = "wait until workloads of queue " + workload.queue +
                                      " end, or raise its nominalQuota"});
  return hold;
}

}  // namespace

std::optional<QueueHold> queue_hold(const Cluster& cluster, const QueuedWorkload& workload) {
  const SchedulingFacts& facts = cluster.snapshot().scheduling;
  if (is_true(workload.conditions, "Finished")) return std::nullopt;
  if (!workload.is_active)
    return QueueHold{.summary = "the Workload is switched off (spec.active: false)",
                     .nearest = "its Workload is switched off",
                     .advice = {{.summary = "switch it on again",
                                 .command = fmt::format(
                                     "kubectl patch workload {} -n {} --type merge -p '{{\"spec\":"
                                     "{{\"active\":true}}}}'",
                                     shell_quoted(workload.name), shell_quoted(workload.ns))}}};
  if (is_true(workload.conditions, "Admitted")) return std::nullopt;
  if (auto closed = closed_queue(facts, workload)) return closed;
  if (is_true(workload.conditions, "QuotaReserved"))
    return QueueHold{.summary = "Kueue has reserved quota for it, and waits for admission checks",
                     .nearest = "admission checks are not done"};
  const Condition* const reserved = condition_of(workload.conditions, "QuotaReserved");
  const QueuedWorkload* const head = head_of_queue(facts, workload);
  const bool has_reason = reserved != nullptr && !reserved->message.empty();
  QueueHold hold =
      head != nullptr && !has_reason ? blocked_by(*head) : without_quota(workload, reserved);
  if (is_true(workload.conditions, "Evicted")) {
    const Condition* const evicted = condition_of(workload.conditions, "Evicted");
    hold.remarks.push_back(
        {fmt::format("Kueue evicted it before ({}): {}", evicted->reason, evicted->message)});
  }
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
