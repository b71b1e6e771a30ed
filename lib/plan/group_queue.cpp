#include "plan/group_queue.hpp"

#include <utility>

#include "admission/kai/bound.hpp"
#include "admission/kai/index.hpp"
#include "admission/kai/queue.hpp"
#include "admission/volcano/queue.hpp"
#include "diagnose/answer/pod_identity.hpp"
#include "model/snapshot/kai.hpp"
#include "model/snapshot/requests.hpp"

namespace gpu::plan {
namespace {

using admission::KaiBound;
using admission::KaiShare;

std::optional<GroupQueueAnswer> of_kai(const scheduler::Cluster& cluster, const Pod& pod) {
  std::optional<admission::KaiAnswer> found = admission::kai_answer(cluster, pod, {});
  if (!found) {
    if (!is_of_kai(pod)) return std::nullopt;
    const std::string_view name = kai_queue_of(pod);
    GroupQueueAnswer answer;
    answer.not_checked.push_back(
        name.empty() ? std::string("KAI's Queue of the pod, which its labels do not name")
                     : "KAI's Queue " + std::string(name) + ", which was not read: it may be full");
    return answer;
  }
  GroupQueueAnswer answer{.remarks = std::move(found->remarks),
                          .advice = std::move(found->advice),
                          .not_checked = std::move(found->not_checked)};
  if (!found->hold) return answer;
  answer.is_held = true;
  answer.summary = std::move(found->hold->summary);
  answer.nearest = std::move(found->hold->nearest);
  return answer;
}

std::optional<GroupQueueAnswer> of_volcano(const scheduler::Cluster& cluster, const Pod& pod) {
  std::optional<admission::VolcanoAnswer> found = admission::volcano_answer(cluster, pod);
  if (!found) return std::nullopt;
  GroupQueueAnswer answer{.not_checked = std::move(found->not_checked)};
  if (!found->hold) return answer;
  answer.is_held = true;
  answer.summary = std::move(found->hold->summary);
  answer.nearest = std::move(found->hold->nearest);
  answer.advice.push_back({.summary = "wait until pods of the Queue end, have its capability "
                                      "raised, or name another Queue",
                           .command = "kubectl get queues.scheduling.volcano.sh -o yaml"});
  return answer;
}

/// Of the shares that a Queue's status lists.
void settle(std::optional<ResourceList>& list, const scheduler::Cluster& cluster,
            const KaiQueue& queue, KaiBound bound) {
  for (const KaiShare share : admission::kKaiShares) {
    const admission::KaiRoom room = admission::kai_room(cluster, queue, share, bound);
    if (!room.allocated) continue;
    if (!list) list.emplace();
    list->set(queue.allowances.at(static_cast<std::size_t>(share)).resource, *room.allocated);
  }
}

void count_in_kai(Snapshot& snapshot, const scheduler::Cluster& cluster, const Pod& pod) {
  const auto& index = cluster.shared<admission::KaiIndex>();
  const KaiQueue* const own = index.queue(kai_queue_of(pod));
  if (own == nullptr) return;
  const bool is_bound = admission::kai_preemptible(cluster, pod) == admission::Preemptible::no;
  for (const KaiQueue* each : index.chain(*own)) {
    KaiQueue& queue = snapshot.scheduling.kai_queues[static_cast<std::size_t>(
        each - cluster.snapshot().scheduling.kai_queues.data())];
    for (const KaiShare share : admission::kKaiShares) {
      const auto more = admission::kai_amount(cluster, pod, share);
      if (!more) continue;
      const std::string& name = queue.allowances.at(static_cast<std::size_t>(share)).resource;
      if (queue.allocated) (*queue.allocated)[name] += *more;
      if (is_bound && queue.allocated_non_preemptible)
        (*queue.allocated_non_preemptible)[name] += *more;
    }
  }
}

void count_in_volcano(Snapshot& snapshot, const scheduler::Cluster& cluster, const Pod& pod) {
  const auto& index = cluster.shared<admission::VolcanoIndex>();
  const VolcanoQueue* const own = index.queue(index.queue_of(pod));
  if (own == nullptr) return;
  const ResourceList requests = effective_requests(pod);
  for (const VolcanoQueue* each : index.chain(*own)) {
    VolcanoQueue& queue = snapshot.scheduling.volcano_queues[static_cast<std::size_t>(
        each - cluster.snapshot().scheduling.volcano_queues.data())];
    if (queue.allocated) add_to(*queue.allocated, requests);
  }
}

}  // namespace

std::optional<GroupQueueAnswer> group_queue_answer(const scheduler::Cluster& cluster,
                                                   const Pod& pod) {
  if (admission::is_of_volcano(pod)) return of_volcano(cluster, pod);
  return is_of_kai(pod) ? of_kai(cluster, pod) : std::nullopt;
}

bool is_held_by_group_queue(const scheduler::Cluster& cluster, const Pod& pod) {
  const auto answer = group_queue_answer(cluster, pod);
  return answer && answer->is_held;
}

std::optional<diagnose::Explanation> held_by_group_queue(const scheduler::Cluster& cluster,
                                                         const Pod& pod,
                                                         const diagnose::ExplainOptions& options) {
  std::optional<GroupQueueAnswer> found = group_queue_answer(cluster, pod);
  if (!found || !found->is_held) return std::nullopt;
  diagnose::Explanation answer = diagnose::identity_of(cluster, pod, options.now);
  answer.code = diagnose::Code::held_by_queue;
  answer.summary = std::move(found->summary);
  answer.nearest = std::move(found->nearest);
  answer.remarks = std::move(found->remarks);
  answer.advice = std::move(found->advice);
  answer.not_checked = std::move(found->not_checked);
  return answer;
}

void settle_group_queues(Snapshot& snapshot, const scheduler::Cluster& cluster) {
  SchedulingFacts& facts = snapshot.scheduling;
  if (!facts.volcano_queues.empty()) {
    const auto& index = cluster.shared<admission::VolcanoIndex>();
    for (VolcanoQueue& each : facts.volcano_queues)
      if (const VolcanoQueue* const known = index.queue(each.name))
        each.allocated = index.allocated(*known);
  }
  for (KaiQueue& each : facts.kai_queues) {
    const KaiQueue* const known = cluster.shared<admission::KaiIndex>().queue(each.name);
    if (known == nullptr) continue;
    settle(each.allocated, cluster, *known, KaiBound::limit);
    settle(each.allocated_non_preemptible, cluster, *known, KaiBound::quota);
  }
}

void count_in_group_queues(Snapshot& snapshot, const scheduler::Cluster& cluster, const Pod& pod) {
  if (is_of_kai(pod)) count_in_kai(snapshot, cluster, pod);
  if (admission::is_of_volcano(pod)) count_in_volcano(snapshot, cluster, pod);
}

GroupQueueUse group_queue_use(const SchedulingFacts& facts) {
  GroupQueueUse use;
  for (const VolcanoQueue& each : facts.volcano_queues) use.volcano.push_back(each.allocated);
  for (const KaiQueue& each : facts.kai_queues) {
    use.kai.push_back(each.allocated);
    use.kai_non_preemptible.push_back(each.allocated_non_preemptible);
  }
  return use;
}

void restore(SchedulingFacts& facts, const GroupQueueUse& use) {
  for (std::size_t i = 0; i < use.volcano.size(); ++i)
    facts.volcano_queues[i].allocated = use.volcano[i];
  for (std::size_t i = 0; i < use.kai.size(); ++i) {
    facts.kai_queues[i].allocated = use.kai[i];
    facts.kai_queues[i].allocated_non_preemptible = use.kai_non_preemptible[i];
  }
}

}  // namespace gpu::plan
