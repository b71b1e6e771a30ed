#include "quota/unlimited.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "admission/api/quota_scopes.hpp"
#include "admission/kai/index.hpp"
#include "admission/kueue/workload.hpp"
#include "model/snapshot/kai.hpp"
#include "model/snapshot/requests.hpp"
#include "quota/cards.hpp"
#include "quota/resource_quotas.hpp"

namespace gpu::quota {
namespace {

/// Whether pods are limited by what was read.
class Limits {
 public:
  Limits(const scheduler::Cluster& cluster, const std::vector<QuotaRow>& rows,
         const VolcanoQueues& volcano)
      : cluster_(cluster), volcano_(volcano) {
    const SchedulingFacts& facts = cluster.snapshot().scheduling;
    for (const ResourceQuota& quota : facts.quotas)
      quotas_.emplace(std::pair(std::string_view(quota.ns), std::string_view(quota.name)), &quota);
    for (const QuotaRow& row : rows) {
      if (limits_pods(row))
        if (const auto found = quotas_.find({row.ns, row.name}); found != quotas_.end())
          by_resource_[{row.ns, row.resource}].push_back(found->second);
      if (row.limiter == Limiter::cluster_queue) kueue_.insert({row.name, row.resource});
    }
  }

  [[nodiscard]] bool limit(const Pod& pod, const std::string& resource) const {
    return is_in_quota(pod, resource) || is_in_kueue(pod, resource) ||
           is_in_volcano(pod, resource) || is_in_kai(pod);
  }

 private:
  using Pair = std::pair<std::string_view, std::string_view>;

  [[nodiscard]] bool is_in_quota(const Pod& pod, const std::string& resource) const {
    const auto found = by_resource_.find({pod.ns, resource});
    if (found == by_resource_.end()) return false;
    // One that may count it is no reason to say that nothing does.
    return std::any_of(found->second.begin(), found->second.end(), [&](const ResourceQuota* quota) {
      return admission::counts(*quota, pod) != false;
    });
  }

  [[nodiscard]] bool is_in_kueue(const Pod& pod, const std::string& resource) const {
    const QueuedWorkload* const workload = admission::workload_of(cluster_, pod);
    if (workload == nullptr) return !value_of(pod.labels, "kueue.x-k8s.io/queue-name").empty();
    return kueue_.contains({workload->cluster_queue, resource}) || workload->cluster_queue.empty();
  }

  [[nodiscard]] bool is_in_volcano(const Pod& pod, const std::string& resource) const {
    const VolcanoPodGroup* const group = volcano_.group_of(pod);
    if (group == nullptr) return false;
    const auto chain = volcano_.chain(queue_of(*group));
    return std::any_of(chain.begin(), chain.end(), [&](const VolcanoQueue* queue) {
      return queue->capability.contains(resource) || queue->deserved.contains(resource);
    });
  }

  [[nodiscard]] bool is_in_kai(const Pod& pod) const {
    if (!is_of_kai(pod)) return false;
    const auto& index = cluster_.shared<admission::KaiIndex>();
    const KaiQueue* const own = index.queue(kai_queue_of(pod));
    // KAI may take the queue from the pod's owner.
    if (own == nullptr) return kai_queue_of(pod).empty();
    const auto chain = index.chain(*own);
    return std::any_of(chain.begin(), chain.end(), [](const KaiQueue* queue) {
      return queue->allowances.front().limit || queue->allowances.front().quota;
    });
  }

  const scheduler::Cluster& cluster_;
  const VolcanoQueues& volcano_;
  std::map<Pair, const ResourceQuota*> quotas_;
  std::map<std::pair<std::string, std::string>, std::vector<const ResourceQuota*>> by_resource_;
  std::set<std::pair<std::string, std::string>> kueue_;
};

/// Without sight of a kind of limits, that nothing limits would be a guess.
bool sees_all_limits(const SchedulingFacts& facts) {
  static constexpr std::array<std::string_view, 7> kKinds = {"resourcequotas",
                                                             "workloads",
                                                             "clusterqueues",
                                                             "localqueues",
                                                             "queues",
                                                             "queues.scheduling.volcano.sh",
                                                             "podgroups.scheduling.volcano.sh"};
  return std::all_of(kKinds.begin(), kKinds.end(), [&](std::string_view kind) {
    return coverage_of(facts, kind) == Coverage::whole;
  });
}

}  // namespace

std::vector<QuotaRow> unlimited_rows(const scheduler::Cluster& cluster,
                                     const std::vector<QuotaRow>& limits,
                                     const VolcanoQueues& volcano) {
  const Snapshot& snapshot = cluster.snapshot();
  if (!sees_all_limits(snapshot.scheduling)) return {};
  const Limits all(cluster, limits, volcano);
  std::map<std::pair<std::string_view, std::string>, Quantity> sums;
  for (const Pod& pod : snapshot.pods) {
    if (is_finished(pod) || pod.node_name.empty()) continue;
    for (const auto& [resource, amount] : effective_requests(pod))
      if (counts_gpus(resource) && amount != Quantity{} && !all.limit(pod, resource))
        sums[{pod.ns, resource}] += amount;
  }
  std::vector<QuotaRow> rows;
  for (const auto& [key, amount] : sums) {
    QuotaRow row{.limiter = Limiter::name_space,
                 .name = std::string(key.first),
                 .resource = key.second,
                 .used = amount,
                 .state = State::no_quota};
    row.counted.used = amount;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace gpu::quota
