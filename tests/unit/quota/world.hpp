#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "make.hpp"
#include "quota/answer.hpp"

/// Small clusters with quotas.
namespace gpu::make {

inline constexpr std::string_view kCard = "nvidia.com/gpu";

/// Everything that limits GPUs was read.
inline Snapshot quota_snapshot(std::vector<Node> nodes, const std::vector<Pod>& pods = {}) {
  Snapshot made = snapshot(std::move(nodes), pods);
  made.taken_at = parse_time("2026-11-30T12:00:00Z");
  for (const char* const kind :
       {"resourcequotas", "clusterqueues", "localqueues", "cohorts", "workloads", "resourceflavors",
        "queues", "queues.scheduling.volcano.sh", "podgroups.scheduling.volcano.sh", "events"})
    made.scheduling.coverages[kind] = Coverage::whole;
  return made;
}

inline ResourceQuota resource_quota(std::string name, std::string_view key, std::int64_t hard,
                                    std::optional<std::int64_t> used = {}) {
  ResourceQuota made{.ns = "ml", .name = std::move(name)};
  made.hard.set(key, Quantity::of(hard));
  if (used) made.used.set(key, Quantity::of(*used));
  return made;
}

/// Of cards in the flavor "h100".
inline ClusterQueue cluster_queue(std::string name, std::string cohort, std::int64_t nominal,
                                  std::int64_t reserved) {
  ClusterQueue made{.name = std::move(name), .cohort = std::move(cohort)};
  made.quotas.push_back({.flavor = "h100",
                         .resource = std::string(kCard),
                         .nominal = Quantity::of(nominal),
                         .reserved = Quantity::of(reserved)});
  const std::int64_t borrowed =
      made.cohort.empty() ? 0 : std::max<std::int64_t>(0, reserved - nominal);
  made.status.reserved.push_back({.flavor = "h100",
                                  .resource = std::string(kCard),
                                  .total = Quantity::of(reserved),
                                  .borrowed = Quantity::of(borrowed)});
  return made;
}

inline LocalQueue local_queue(std::string name, std::string cluster_queue) {
  return {.ns = "ml", .name = std::move(name), .cluster_queue = std::move(cluster_queue)};
}

/// A Job's, of one pod.
inline QueuedWorkload workload(const std::string& job, std::string queue, std::int64_t gpus) {
  QueuedWorkload made{
      .ns = "ml", .name = "job-" + job, .uid = "uid-" + job, .queue = std::move(queue)};
  made.owners.push_back({.kind = "Job",
                         .name = job,
                         .uid = "job-uid-" + job,
                         .api_version = "batch/v1",
                         .controller = true});
  PodSet set{.name = "main", .count = 1};
  set.requests.set(kCard, Quantity::of(gpus));
  made.pod_sets.push_back(std::move(set));
  return made;
}

/// The same, with quota since `then`.
inline QueuedWorkload admitted(QueuedWorkload workload, std::string cluster_queue,
                               std::string_view then = "2026-11-30T08:00:00Z") {
  workload.cluster_queue = std::move(cluster_queue);
  workload.held.push_back({.flavor = "h100",
                           .resource = std::string(kCard),
                           .amount = amount_of(workload.pod_sets.front().requests, kCard)});
  for (const char* const type : {"QuotaReserved", "Admitted"})
    workload.conditions.push_back(
        {.type = type, .status = "True", .last_transition = parse_time(then)});
  return workload;
}

/// The row of a limit; the first, if it has several.
inline const quota::QuotaRow& row_of(const quota::QuotaAnswer& answer, std::string_view name) {
  for (const quota::QuotaRow& row : answer.rows)
    if (row.name == name) return row;
  throw Error(ErrorKind::internal, "no row of " + std::string(name));
}

}  // namespace gpu::make
