#include "cost/rows/job_rows.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "cost/held/job_held.hpp"
#include "model/gpu/gpu_resource.hpp"
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

/// What is seen of a Job: its pods, those that wait, too, and what they hold or held.
struct SeenOfJob {
  std::vector<const Pod*> pods;
  std::vector<const CostLine*> lines;
};

const std::string& controller_uid(const Pod& pod) {
  static const std::string kNone;
  for (const OwnerReference& owner : pod.owners)
    if (owner.controller) return owner.uid;
  return kNone;
}

/// By the uid of the Job.
std::map<std::string, SeenOfJob> seen_by_job(const std::vector<CostLine>& lines,
                                             const Snapshot& snapshot) {
  std::map<std::string, SeenOfJob> found;
  for (const Job& job : snapshot.scheduling.jobs) found[job.uid];
  for (const Pod& pod : snapshot.pods)
    if (const auto at = found.find(controller_uid(pod)); at != found.end())
      at->second.pods.push_back(&pod);
  for (const CostLine& line : lines) {
    if (line.pod == nullptr) continue;
    if (const auto at = found.find(controller_uid(*line.pod)); at != found.end())
      at->second.lines.push_back(&line);
  }
  return found;
}

/// The pods, with their GPUs as the scheduler counts them and with the devices of their claims.
std::vector<JobPod> job_pods(const SeenOfJob& seen) {
  std::map<const Pod*, std::pair<std::int64_t, const CostLine*>> held;
  for (const CostLine* line : seen.lines) {
    auto& [units, of_pod] = held[line->pod];
    units = capped_sum(units, line->units);
    of_pod = line;
  }
  std::vector<JobPod> pods;
  pods.reserve(seen.pods.size());
  for (const Pod* pod : seen.pods) {
    JobPod& added = pods.emplace_back(job_pod_of(*pod));
    const auto found = held.find(pod);
    if (found == held.end()) continue;
    added.gpus = std::max(added.gpus, found->second.first);
    added.held = found->second.second->held;  // as far as it is counted
  }
  return pods;
}

/// What one unit of those pods of a job that are seen is.
struct SeenUnit {
  std::optional<Money> hour;    ///< what it costs an hour; nothing: not known
  std::optional<double> cards;  ///< physical GPUs: 0.25 for a quarter of one; nothing: not known
};

/// Whether the pods of the Job ask for whole cards alone, as far as their template says.
bool requests_cards(const Job& job) {
  return std::all_of(job.requests.begin(), job.requests.end(), [](const auto& each) {
    const auto resource = gpu_resource(each.first);
    if (!resource) return true;
    return resource->kind == DeviceKind::card && !resource->renamed && !resource->is_memory;
  });
}

SeenUnit unit_of(const Job& job, const std::vector<const CostLine*>& lines) {
  Money hours;
  std::int64_t priced = 0, counted = 0;
  double cards = 0;
  for (const CostLine* line : lines) {
    if (line->units <= 0) continue;
    if (line->hour) {
      hours += *line->hour;
      priced = capped_sum(priced, line->units);
    }
    if (line->cards) {
      cards += *line->cards;
      counted = capped_sum(counted, line->units);
    }
  }
  SeenUnit unit;
  if (priced > 0) unit.hour = share_of(hours, 1, priced);
  if (counted > 0)
    unit.cards = cards / static_cast<double>(counted);
  else if (requests_cards(job))
    unit.cards = 1;
  return unit;
}

/// What the pods of a Job that are seen held together.
struct SeenTime {
  std::int64_t seconds = 0;
  std::int64_t gpu_seconds = 0;
};

/// Puts what the Job has had, beside the pods that are seen, into its row.
void add_gone(CostRow& row, const JobRecord& record, const SeenTime& seen, const SeenUnit& unit) {
  row.evidence = std::max(row.evidence, record.evidence);
  row.missing_pods = capped_sum(row.missing_pods, record.missing);
  row.may_have_more_pods = row.may_have_more_pods || record.may_have_more;
  row.has_odd_times = row.has_odd_times || record.has_odd_times;
  if (!record.held || !record.gpu_seconds) {  // not known, which is not 0
    row.total.add(std::nullopt);
    row.card_hours.add(std::nullopt);
    row.held_for.add(std::nullopt);
    return;
  }
  const std::int64_t held = record.held->count() - seen.seconds;
  if (held > 0) row.held_for.add(std::chrono::seconds(held));
  const std::int64_t gone = std::max<std::int64_t>(0, *record.gpu_seconds - seen.gpu_seconds);
  if (gone == 0) return;
  const auto length = std::chrono::seconds(gone);
  row.total.add(unit.hour ? std::optional(total_over(*unit.hour, length)) : std::nullopt);
  constexpr double kHour = 3600;
  row.card_hours.add(unit.cards ? std::optional(*unit.cards * static_cast<double>(gone) / kHour)
                                : std::nullopt);
}

using PastByJob = std::map<std::pair<std::string, std::string>, std::set<const PastPod*>>;

/// Pods that are gone and that a Job controlled, by its namespace and name.
PastByJob past_by_job(const std::vector<CostLine>& lines) {
  PastByJob found;
  for (const CostLine& line : lines) {
    if (line.past == nullptr || line.past->owners.empty()) continue;
    const OwnerReference& owner = line.past->owners.front();
    if (owner.kind == "Job") found[{line.ns, owner.name}].insert(line.past);
  }
  return found;
}

/// What is known of a time that began at `from`, and of pods that are gone.
struct Past {
  Time from;
  bool is_whole = false;  ///< the history has all of them
  PastByJob by_job;

  [[nodiscard]] std::int64_t pods_of(const Job& job) const {
    const auto found = by_job.find({job.ns, job.name});
    if (found == by_job.end()) return 0;
    // An earlier Job may have had the name.
    return std::count_if(found->second.begin(), found->second.end(), [&](const PastPod* pod) {
      return !job.created || !pod->scheduled || *pod->scheduled >= *job.created;
    });
  }
};

/// Pods of a Job that is not there: nothing says how many it had. It was deleted, may not be read,
/// or was made anew by the same name.
void mark_orphans(std::vector<CostRow>& rows, const std::map<OwnerKey, std::size_t>& places,
                  const std::vector<CostLine>& lines,
                  const std::map<std::string, SeenOfJob>& by_job, Evidence evidence) {
  for (const CostLine& line : lines) {
    if (line.owner.kind != "Job" || line.pod == nullptr) continue;
    if (by_job.contains(controller_uid(*line.pod))) continue;
    CostRow& row = rows[places.at({line.ns, line.owner.kind, line.owner.name})];
    row.evidence = std::max(row.evidence, evidence);
  }
}

/// Of a part of the Job's time: what it has counted says little where it began before.
void add_gone_since(CostRow& row, const Job& job, const JobRecord& record, const SeenTime& seen,
                    const SeenUnit& unit, const Past& past) {
  const bool is_inside = job.started && *job.started >= past.from;
  const std::int64_t told = past.pods_of(job);
  if (is_inside && told == 0 && !past.is_whole) return add_gone(row, record, seen, unit);
  row.has_odd_times = row.has_odd_times || record.has_odd_times;
  if (record.may_have_more && !past.is_whole) {
    row.may_have_more_pods = true;
    row.evidence = std::max(row.evidence, Evidence::lower_bound);
  }
  if (record.missing == 0) return;
  const std::int64_t untold = std::max<std::int64_t>(record.missing - told, 0);
  const bool is_known = past.is_whole && (untold == 0 || !is_inside);
  row.evidence = std::max(row.evidence, is_known ? Evidence::history : Evidence::lower_bound);
  if (is_inside) row.missing_pods = capped_sum(row.missing_pods, untold);
}

void add_job(CostRow& row, const Job& job, const SeenOfJob& seen, Time now,
             const std::optional<Past>& past) {
  const std::vector<JobPod> pods = job_pods(seen);
  SeenTime time;
  for (const JobPod& pod : pods) {
    const auto held = held_seconds(pod.held, now);
    if (!held) continue;
    time.seconds = capped_sum(time.seconds, held->count());
    time.gpu_seconds = capped_sum(time.gpu_seconds, capped_product(pod.gpus, held->count()));
  }
  const JobRecord record = record_of(&job, pods, now);
  const SeenUnit unit = unit_of(job, seen.lines);
  if (past) return add_gone_since(row, job, record, time, unit, *past);
  add_gone(row, record, time, unit);
}

CostRow row_of(const OwnerKey& key) {
  CostRow row;
  std::tie(row.ns, row.kind, row.name) = key;
  row.owner = {.kind = row.kind, .name = row.name};
  return row;
}

bool requests_gpus(const Job& job) { return gpu_devices_in(job.requests) > 0; }

std::optional<Past> past_of(const std::vector<CostLine>& lines, const Snapshot& snapshot,
                            const std::optional<Time>& from) {
  if (!from) return std::nullopt;
  return Past{.from = *from,
              .is_whole = snapshot.history.coverage == Coverage::whole,
              .by_job = past_by_job(lines)};
}

}  // namespace

std::vector<CostRow> owner_rows(const std::vector<CostLine>& lines, const Snapshot& snapshot,
                                const std::optional<Time>& now, const std::optional<Time>& from) {
  const std::optional<Past> past = past_of(lines, snapshot, from);
  const Evidence of_others = past && past->is_whole ? Evidence::history : Evidence::lower_bound;
  std::vector<CostRow> rows = demand_rows(lines, GroupBy::owner);
  std::map<OwnerKey, std::size_t> places;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    places[{rows[i].ns, rows[i].kind, rows[i].name}] = i;
    if (rows[i].kind != "Pod" && rows[i].kind != "Job")
      rows[i].evidence = std::max(rows[i].evidence, of_others);
  }
  const auto by_job = seen_by_job(lines, snapshot);
  mark_orphans(rows, places, lines, by_job, of_others);
  if (!now) return rows;
  for (const Job& job : snapshot.scheduling.jobs) {
    const SeenOfJob& seen = by_job.at(job.uid);
    if (seen.lines.empty() && !requests_gpus(job)) continue;
    if (from && job.completed && *job.completed <= *from) continue;
    const OwnerKey key = owner_of(job, snapshot);
    const auto [place, is_new] = places.emplace(key, rows.size());
    if (is_new) rows.push_back(row_of(key));
    CostRow& row = rows[place->second];
    add_job(row, job, seen, *now, past);
    if (row.has_partial_total()) row.evidence = std::max(row.evidence, Evidence::lower_bound);
  }
  return rows;
}

}  // namespace gpu::cost
