#include "quota/idle.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "admission/api/quota.hpp"
#include "admission/api/quota_scopes.hpp"
#include "admission/kueue/idle_workloads.hpp"
#include "diagnose/answer/patience.hpp"
#include "quota/cards.hpp"
#include "quota/resource_quotas.hpp"

namespace gpu::quota {
namespace {

IdleReason reason_of(const admission::IdleWorkload& idle) {
  if (idle.end) return IdleReason::ended;
  return admission::is_certain(idle) ? IdleReason::no_pods : IdleReason::not_seen;
}

void add_workloads(std::vector<IdleHolder>& found, const scheduler::Cluster& cluster) {
  for (const admission::IdleWorkload& idle : cluster.shared<admission::IdleWorkloads>().all()) {
    const QueuedWorkload& workload = *idle.workload;
    std::map<std::pair<std::string_view, std::string_view>, Quantity> sums;
    for (const HeldQuota& each : workload.held)
      if (counts_gpus(each.resource)) sums[{each.flavor, each.resource}] += each.amount;
    for (const auto& [key, units] : sums)
      found.push_back({.limiter = Limiter::cluster_queue,
                       .queue = workload.cluster_queue,
                       .ns = workload.ns,
                       .kind = workload.owners.front().kind,
                       .name = workload.owners.front().name,
                       .resource = std::string(key.second),
                       .flavor = std::string(key.first),
                       .units = units,
                       .since = idle.since,
                       .reason = reason_of(idle)});
  }
}

std::optional<std::chrono::seconds> age_of(const Pod& pod, const std::optional<Time>& now) {
  if (!now || !pod.created || *now < *pod.created) return std::nullopt;
  return *now - *pod.created;
}

void add_pods(std::vector<IdleHolder>& found, const scheduler::Cluster& cluster,
              const std::vector<QuotaRow>& rows) {
  const Snapshot& snapshot = cluster.snapshot();
  std::map<std::string_view, std::vector<const Pod*>> waiting;  // by namespace
  for (const Pod& pod : snapshot.pods) {
    if (!pod.node_name.empty() || is_finished(pod) || pod.deleted) continue;
    const auto age = age_of(pod, snapshot.taken_at);
    if (age && *age > diagnose::patience_for(diagnose::WaitFor::quota_holder))
      waiting[pod.ns].push_back(&pod);
  }
  std::map<std::pair<std::string_view, std::string_view>, const ResourceQuota*> quotas;
  for (const ResourceQuota& each : snapshot.scheduling.quotas) quotas[{each.ns, each.name}] = &each;
  for (const QuotaRow& row : rows) {
    if (!limits_pods(row) || !waiting.contains(row.ns)) continue;
    for (const Pod* pod : waiting[row.ns]) {
      if (admission::counts(*quotas.at({row.ns, row.name}), *pod) != true) continue;
      const Quantity units = amount_of(admission::quota_usage(*pod), row.key);
      if (units == Quantity{}) continue;
      found.push_back({.limiter = Limiter::resource_quota,
                       .queue = full_name(row),
                       .ns = pod->ns,
                       .kind = "Pod",
                       .name = pod->name,
                       .resource = row.resource,
                       .units = units,
                       .since = age_of(*pod, snapshot.taken_at),
                       .reason = IdleReason::not_bound});
    }
  }
}

}  // namespace

std::string_view name_of(IdleReason reason) {
  switch (reason) {
    case IdleReason::ended:
      return "ended";
    case IdleReason::no_pods:
      return "no-pods";
    case IdleReason::not_seen:
      return "not-seen";
    case IdleReason::not_bound:
      return "not-bound";
  }
  return "";
}

std::vector<IdleHolder> idle_holders(const scheduler::Cluster& cluster,
                                     const std::vector<QuotaRow>& rows) {
  std::vector<IdleHolder> found;
  add_workloads(found, cluster);
  add_pods(found, cluster, rows);
  std::stable_sort(found.begin(), found.end(), [](const IdleHolder& a, const IdleHolder& b) {
    return std::tie(b.units, a.queue, a.ns, a.name) < std::tie(a.units, b.queue, b.ns, b.name);
  });
  return found;
}

}  // namespace gpu::quota
