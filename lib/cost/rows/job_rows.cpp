#include "cost/rows/job_rows.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "cost/held/job_held.hpp"
#include "model/snapshot/requests.hpp"

namespace gpu::cost {
namespace {

using OwnerKey = std::tuple<std::string, std::string, std::string>;  ///< namespace, kind, name

/// Who the pods of a Job belong to, as top_owner() says it of each of them.
OwnerKey owner_of(const Job& job, const Snapshot& snapshot) {
  Pod pod{.ns = job.ns};
  pod.owners.push_back({.kind = "Job",
                        .name = job.name,
                        .uid = job.uid,
                        .api_version = "batch/v1",
                        .controller = true});
  const Owner owner = top_owner(pod, snapshot);
  if (owner.uid == job.uid)
    for (const OwnerReference& above : job.owners)
      if (above.controller) return {job.ns, above.kind, above.name};
  return {job.ns, owner.kind, owner.name};
}

/// The pods of each Job, by the Job's uid.
std::map<std::string, std::vector<const CostLine*>> lines_by_job(
    const std::vector<CostLine>& lines) {
  std::map<std::string, std::vector<const CostLine*>> found;
  for (const CostLine& line : lines) {
    if (line.pod == nullptr) continue;
    for (const OwnerReference& owner : line.pod->owners)
      if (owner.controller) found[owner.uid].push_back(&line);
  }
  return found;
}

/// What an hour of one GPU costs, as those pods of the job that are seen had it.
std::optional<Money> hour_of_gpu(const std::vector<const CostLine*>& lines) {
  Money hours;
  std::int64_t gpus = 0;
  for (const CostLine* line : lines) {
    if (!line->hour || line->units <= 0) continue;
    hours += *line->hour;
    gpus = capped_sum(gpus, line->units);
  }
  if (gpus == 0) return std::nullopt;
  return share_of(hours, 1, gpus);
}

/// Puts what the Job has had, beside the pods that are seen, into its row.
void add_gone(CostRow& row, const JobRecord& record, std::int64_t seen_gpu_seconds,
              const std::optional<Money>& hour) {
  row.evidence = std::max(row.evidence, record.evidence);
  row.missing_pods = capped_sum(row.missing_pods, record.missing);
  if (!record.gpu_seconds || record.missing == 0) return;
  const std::int64_t gone = std::max<std::int64_t>(0, *record.gpu_seconds - seen_gpu_seconds);
  row.total.add(hour ? std::optional(total_over(*hour, std::chrono::seconds(gone)))
                     : std::nullopt);
  constexpr double kHour = 3600;
  row.card_hours.add(static_cast<double>(gone) / kHour);
}

void add_job(CostRow& row, const Job& job, const std::vector<const CostLine*>& lines, Time now) {
  std::vector<JobPod> pods;
  std::int64_t seen_gpu_seconds = 0;
  const Pod* last = nullptr;
  for (const CostLine* line : lines) {
    if (line->held_for)
      seen_gpu_seconds =
          capped_sum(seen_gpu_seconds, capped_product(line->units, line->held_for->count()));
    if (line->pod == last) continue;
    last = line->pod;
    pods.push_back(job_pod_of(*line->pod));
  }
  add_gone(row, record_of(&job, pods, now), seen_gpu_seconds, hour_of_gpu(lines));
}

CostRow row_of(const OwnerKey& key) {
  CostRow row;
  std::tie(row.ns, row.kind, row.name) = key;
  return row;
}

bool requests_gpus(const Job& job) {
  return gpu_devices_in(job.requests) > 0;
}

}  // namespace

std::vector<CostRow> owner_rows(const std::vector<CostLine>& lines, const Snapshot& snapshot,
                                const std::optional<Time>& now) {
  std::vector<CostRow> rows = demand_rows(lines, GroupBy::owner);
  std::map<OwnerKey, std::size_t> places;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    places[{rows[i].ns, rows[i].kind, rows[i].name}] = i;
    if (rows[i].kind != "Pod" && rows[i].kind != "Job") rows[i].evidence = Evidence::lower_bound;
  }
  if (!now) return rows;
  const auto by_job = lines_by_job(lines);
  for (const Job& job : snapshot.scheduling.jobs) {
    const auto its = by_job.find(job.uid);
    if (its == by_job.end() && !requests_gpus(job)) continue;
    const OwnerKey key = owner_of(job, snapshot);
    const auto [place, is_new] = places.emplace(key, rows.size());
    if (is_new) rows.push_back(row_of(key));
    add_job(rows[place->second], job, its == by_job.end() ? std::vector<const CostLine*>{} : its->second, *now);
  }
  return rows;
}

}  // namespace gpu::cost
