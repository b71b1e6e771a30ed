#include "quota/answer.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "quota/cards.hpp"
#include "quota/kai_queues.hpp"
#include "quota/kueue_counts.hpp"
#include "quota/kueue_rows.hpp"
#include "quota/refused.hpp"
#include "quota/resource_quotas.hpp"
#include "quota/team.hpp"
#include "quota/unlimited.hpp"
#include "quota/volcano_queues.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "usage/rows/inventory.hpp"

namespace gpu::quota {
namespace {

void append(std::vector<QuotaRow>& rows, std::vector<QuotaRow> more) {
  std::move(more.begin(), more.end(), std::back_inserter(rows));
}

void sort(std::vector<QuotaRow>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const QuotaRow& a, const QuotaRow& b) {
    return std::tie(a.limiter, a.ns, a.name, a.resource, a.flavor, a.key) <
           std::tie(b.limiter, b.ns, b.name, b.resource, b.flavor, b.key);
  });
}

void name_units(std::vector<QuotaRow>& rows, const Cards& cards) {
  std::map<std::string, std::string> units;  // by resource
  for (QuotaRow& row : rows) {
    const auto [known, is_new] = units.try_emplace(row.resource);
    if (is_new) known->second = cards.of(row.resource).unit;
    row.unit = known->second;
  }
}

std::vector<std::string> unseen_in(const SchedulingFacts& facts) {
  static constexpr std::array<std::string_view, 10> kKinds = {"resourcequotas",
                                                              "clusterqueues",
                                                              "localqueues",
                                                              "cohorts",
                                                              "workloads",
                                                              "resourceflavors",
                                                              "events",
                                                              "queues.scheduling.volcano.sh",
                                                              "podgroups.scheduling.volcano.sh",
                                                              "queues"};
  std::vector<std::string> unseen;
  for (const std::string_view kind : kKinds)
    if (coverage_of(facts, kind) != Coverage::whole)
      unseen.emplace_back(kind == "queues" ? "queues.scheduling.run.ai" : kind);
  return unseen;
}

}  // namespace

QuotaAnswer quota_answer(const Snapshot& snapshot, std::string_view team) {
  const scheduler::Cluster cluster(snapshot);
  const usage::Inventory inventory(snapshot);
  const Cards cards(cluster, inventory);
  const KueueCounts counts(cluster);
  const VolcanoQueues volcano(cluster);
  QuotaAnswer answer;
  append(answer.rows, resource_quota_rows(cluster, cards));
  append(answer.rows, kueue_rows(cluster, cards, counts));
  append(answer.rows, volcano_rows(cluster, volcano));
  append(answer.rows, kai_rows(cluster));
  append(answer.rows, unlimited_rows(cluster, answer.rows, volcano));
  sort(answer.rows);
  name_units(answer.rows, cards);
  answer.waits = count_refused(cluster, answer.rows);
  for (Wait& each : waits_of(cluster, volcano)) answer.waits.push_back(std::move(each));
  answer.promises = promises_of(answer.rows, snapshot.scheduling, cards);
  answer.idle = idle_holders(cluster, answer.rows);
  answer.unseen = unseen_in(snapshot.scheduling);
  if (!team.empty()) keep_team(answer, cluster, volcano, team);
  return answer;
}

bool has_wrong(const QuotaAnswer& answer) {
  return std::any_of(answer.rows.begin(), answer.rows.end(), is_wrong);
}

std::vector<std::string> not_counted(const QuotaAnswer& answer) {
  std::set<std::string> names;
  for (const QuotaRow& row : answer.rows)
    if (row.limiter == Limiter::resource_quota && is_of_claims(row)) names.insert(full_name(row));
  return {names.begin(), names.end()};
}

std::vector<std::string> team_names(const Snapshot& snapshot) {
  const SchedulingFacts& facts = snapshot.scheduling;
  std::set<std::string> names;
  for (const Namespace& each : facts.namespaces) names.insert(each.name);
  for (const ResourceQuota& each : facts.quotas) {
    names.insert(each.ns);
    names.insert(each.name);
  }
  for (const ClusterQueue& each : facts.cluster_queues) {
    names.insert(each.name);
    if (!each.cohort.empty()) names.insert(each.cohort);
  }
  for (const LocalQueue& each : facts.local_queues) names.insert(each.name);
  for (const Cohort& each : facts.cohorts) names.insert(each.name);
  for (const VolcanoQueue& each : facts.volcano_queues) names.insert(each.name);
  for (const KaiQueue& each : facts.kai_queues) names.insert(each.name);
  return {names.begin(), names.end()};
}

}  // namespace gpu::quota
