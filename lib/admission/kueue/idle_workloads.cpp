#include "admission/kueue/idle_workloads.hpp"

#include <utility>

#include "diagnose/answer/patience.hpp"
#include "model/gpu/gpu_resource.hpp"

namespace gpu::admission {
namespace {

std::int64_t gpus_of(const QueuedWorkload& workload) {
  std::int64_t gpus = 0;
  for (const PodSet& set : workload.pod_sets)
    for (const auto& [name, amount] : set.requests)
      if (const auto gpu = gpu_resource(name); gpu && !gpu->is_memory)
        gpus = capped_sum(gpus, capped_product(amount.value(), set.count));
  return gpus;
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

}  // namespace

bool is_certain(const IdleWorkload& idle) { return idle.end || idle.pods.state == HasPods::no; }

IdleWorkloads::IdleWorkloads(const scheduler::Cluster& cluster) {
  const Snapshot& snapshot = cluster.snapshot();
  if (!snapshot.taken_at) return;
  const auto& pods = cluster.shared<WorkloadPods>();
  for (const QueuedWorkload& each : snapshot.scheduling.workloads) {
    const auto since = admitted_for(each, *snapshot.taken_at);
    if (!since || *since <= diagnose::patience_for(diagnose::WaitFor::quota_holder) ||
        each.owners.empty() || !each.admission_checks.empty())
      continue;
    SeenPods seen = pods.of(each);
    if (seen.state == HasPods::no && snapshot.pod_coverage != Coverage::whole)
      seen.state = HasPods::unknown;
    if (seen.state != HasPods::yes)
      all_.push_back({&each, *since, gpus_of(each), std::move(seen), pods.end_of(each)});
  }
}

}  // namespace gpu::admission
