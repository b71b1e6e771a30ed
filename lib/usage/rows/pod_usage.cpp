#include "usage/rows/pod_usage.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/quantity.hpp"
#include "model/objects/quantity_text.hpp"
#include "model/snapshot/gpu_fraction.hpp"
#include "usage/devices/use_sum.hpp"
#include "usage/rows/pool_use.hpp"
#include "usage/rows/unit.hpp"

namespace gpu::usage {
namespace {

/// What rows must have in common to stand in one.
using GroupKey = std::tuple<std::string, std::string, std::string, std::string, std::string,
                            PoolSource, Unit, std::optional<std::int64_t>, std::int64_t>;

GroupKey key_of(const PodUsage& row, const Owner& owner) {
  const Pool& pool = *row.pool;
  return {row.holding->ns,   owner.kind,  owner.name,    pool.resource,
          pool.model,        pool.source, unit_of(pool), pool.sharing.replicas,
          row.holding->units};
}

PodGroup group_of(const PodUsage& row, Owner owner) {
  return {.rows = {row}, .owner = std::move(owner)};
}

std::vector<PodGroup> grouped(const std::vector<PodUsage>& rows, const Snapshot& snapshot,
                              Folding folding) {
  std::vector<PodGroup> groups;
  std::map<GroupKey, std::size_t> places;
  for (const PodUsage& row : rows) {
    const Owner owner = row.pod == nullptr ? Owner{} : top_owner(*row.pod, snapshot);
    const bool may_fold = folding == Folding::owner && row.pod != nullptr;
    if (!may_fold) {
      groups.push_back(group_of(row, owner));
      continue;
    }
    const auto [at, is_new] = places.emplace(key_of(row, owner), groups.size());
    if (is_new)
      groups.push_back(group_of(row, owner));
    else
      groups[at->second].rows.push_back(row);
  }
  return groups;
}

/// Whole devices are counted before parts of them.
bool is_part(Unit unit) { return unit >= Unit::mig; }

/// A metric of a pod is of all that it holds: known of one holding, where it has no other.
void add_told_of_pod(const Inventory& inventory, PodUsage& row) {
  const Sample* sample = inventory.live.of_pod(row.pod->ns, row.pod->name);
  if (sample == nullptr || row.use.utilization || shared_by(row) != 1) return;
  const auto has_it = [&](const Holding& holding) {
    return std::find(holding.pods.begin(), holding.pods.end(), row.pod) != holding.pods.end();
  };
  const auto& all = inventory.holdings;
  if (std::count_if(all.begin(), all.end(), has_it) != 1) return;
  row.use.utilization = sample->measures.utilization;
  if (!row.use.utilization) return;
  row.use.kind = sample->measures.kind;
  row.use.source = sample->source;
  row.use.devices = row.use.measured = row.holding->units;
  row.use.is_of_before = false;
}

HeldUse use_by_all(const Inventory& inventory, const Holding& holding) {
  const Pod* only = holding.pods.size() == 1 ? holding.pods.front() : nullptr;
  return held_use(inventory.devices.at(holding.pool), holding, only);
}

PodUsage row_of(const Inventory& inventory, const Holding& holding, const Pod* pod,
                const HeldUse& held) {
  PodUsage row{.pool = &inventory.pools.at(holding.pool),
               .holding = &holding,
               .pod = pod,
               .use = held.use,
               .held_use = held.use,
               .is_of_whole_device = held.is_shared};
  if (pod == nullptr) return row;
  if (shared_by(row) > 1) {
    // Who of them does how much of it, nobody tells.
    row.use = {.memory_total_bytes = held.use.memory_total_bytes,
               .is_of_before = held.use.is_of_before,
               .devices = held.use.devices};
    row.is_of_whole_device = true;
  }
  add_told_of_pod(inventory, row);
  if (shared_by(row) == 1) row.held_use = row.use;
  return row;
}

/// Of `rows`, each holding counted once.
Use use_of(const std::vector<PodUsage>& rows) {
  std::set<const Holding*> seen;
  UseSum sum;
  for (const PodUsage& row : rows)
    if (seen.insert(row.holding).second) sum.add(row.held_use, row.holding->units);
  return sum.sum();
}

bool comes_before(const PodGroup& a, const PodGroup& b) {
  const PodUsage& left = a.rows.front();
  const PodUsage& right = b.rows.front();
  const bool left_is_part = is_part(unit_of(*left.pool));
  const bool right_is_part = is_part(unit_of(*right.pool));
  if (left_is_part != right_is_part) return right_is_part;
  if (a.units != b.units) return a.units > b.units;
  return std::forward_as_tuple(left.holding->ns, left.pool->node, name_of(left)) <
         std::forward_as_tuple(right.holding->ns, right.pool->node, name_of(right));
}

}  // namespace

std::int64_t shared_by(const PodUsage& row) {
  return static_cast<std::int64_t>(row.holding->pods.size());
}

std::string name_of(const PodUsage& row) {
  return row.pod == nullptr ? "claim/" + row.holding->claim : row.pod->name;
}

std::string part_text(const PodUsage& row) {
  const auto fraction = row.pod == nullptr ? std::nullopt : gpu_fraction(*row.pod);
  if (!fraction) return {};
  const std::string amount = fraction->thousandths
                                 ? gpu::amount_text(kGpuFraction, *fraction->thousandths)
                                 : gpu::amount_text(kGpuMemory, fraction->memory_mib.value_or(0));
  return amount + (fraction->devices == 1
                       ? " of 1 GPU"
                       : " of each of " + std::to_string(fraction->devices) + " GPUs");
}

std::vector<PodUsage> pod_usage(const Inventory& inventory) {
  std::vector<PodUsage> rows;
  for (const Holding& holding : inventory.holdings) {
    const HeldUse held = use_by_all(inventory, holding);
    if (holding.pods.empty()) rows.push_back(row_of(inventory, holding, nullptr, held));
    for (const Pod* pod : holding.pods) rows.push_back(row_of(inventory, holding, pod, held));
  }
  return rows;
}

std::set<std::string> idle_pods(const Inventory& inventory) {
  std::set<std::string> idle;
  std::set<std::string> busy;
  for (const PodUsage& row : pod_usage(inventory)) {
    if (row.pod == nullptr) continue;
    (is_idle(row.use).value_or(false) ? idle : busy).insert(row.pod->uid);
  }
  for (const std::string& uid : busy) idle.erase(uid);
  return idle;
}

std::int64_t units_of(const std::vector<PodUsage>& rows) {
  std::set<const Holding*> seen;
  std::int64_t units = 0;
  for (const PodUsage& row : rows)
    if (seen.insert(row.holding).second) units = capped_sum(units, row.holding->units);
  return units;
}

std::int64_t pods_in(const PodGroup& group) {
  std::set<const Pod*> pods;
  for (const PodUsage& row : group.rows)
    if (row.pod != nullptr) pods.insert(row.pod);
  return static_cast<std::int64_t>(pods.size());
}

std::vector<std::string> nodes_of(const PodGroup& group) {
  std::set<std::string> nodes;
  for (const PodUsage& row : group.rows) nodes.insert(row.pool->node);
  return {nodes.begin(), nodes.end()};
}

std::optional<Time> oldest(const PodGroup& group) {
  std::optional<Time> first;
  for (const PodUsage& row : group.rows) {
    if (row.pod == nullptr || !row.pod->created) return std::nullopt;
    first = std::min(first.value_or(*row.pod->created), *row.pod->created);
  }
  return first;
}

std::vector<PodGroup> pod_groups(const std::vector<PodUsage>& rows, const Snapshot& snapshot,
                                 Folding folding) {
  std::vector<PodGroup> groups = grouped(rows, snapshot, folding);
  for (PodGroup& group : groups) {
    group.units = units_of(group.rows);
    group.use = use_of(group.rows);
  }
  std::stable_sort(groups.begin(), groups.end(), comes_before);
  return groups;
}

}  // namespace gpu::usage
