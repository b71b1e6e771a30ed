#include "model/dra/dra_rows.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace gpu {
namespace {

using Row = std::vector<DraUnit*>;
using RowKey = std::tuple<std::string_view, std::string_view, bool>;  ///< resource, model, view

/// The rows of a node. Where a passthrough device is the only view of its card, those that are a
/// second one have no row: they would stand in the same one.
std::map<RowKey, Row> grouped(std::vector<DraUnit>& units) {
  std::map<RowKey, Row> rows;
  std::set<std::string_view> only_views;
  for (const DraUnit& unit : units)
    if (unit.facts.is_passthrough && !unit.is_second_view) only_views.insert(unit.facts.resource);
  for (DraUnit& unit : units) {
    if (!unit.is_counted) continue;
    if (unit.is_second_view && only_views.contains(unit.facts.resource)) continue;
    rows[{unit.facts.resource, unit.facts.model, unit.is_second_view}].push_back(&unit);
  }
  return rows;
}

/// Sums that are unknown as soon as one part is.
void add(std::optional<std::int64_t>& sum, const std::optional<std::int64_t>& part) {
  sum = sum && part ? std::optional(capped_sum(*sum, *part)) : std::nullopt;
}

/// Cards of the node of which anything is held, in any row.
std::set<std::string_view> cards_in_use(const std::vector<DraUnit>& units) {
  std::set<std::string_view> cards;
  for (const DraUnit& unit : units)
    if (unit.held != nullptr) cards.insert(unit.shown.card);
  return cards;
}

Sharing sharing_of(const Row& row) {
  const auto is_shared = [](const DraUnit* unit) { return unit->shown.device->allow_multiple; };
  if (std::none_of(row.begin(), row.end(), is_shared)) return {};
  Sharing sharing{.strategy = SharingStrategy::capacity, .replicas = row.front()->total};
  for (const DraUnit* unit : row)
    if (unit->total != sharing.replicas) sharing.replicas.reset();
  return sharing;
}

/// Of what stands against units that nobody holds, what stands against most of them.
Unavailable main_reason(const Row& row) {
  std::map<Unavailable, int> counts;
  for (const DraUnit* unit : row)
    if (unit->left != std::int64_t{0} && !unit->shown.is_free) ++counts[unit->shown.reason];
  const auto most =
      std::max_element(counts.begin(), counts.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? Unavailable::none : most->first;
}

std::int64_t shares_held(const Row& row) {
  std::int64_t shares = 0;
  for (const DraUnit* unit : row)
    if (unit->held != nullptr) shares += unit->held->is_whole ? 1 : unit->held->shares;
  return shares;
}

/// Shares the total out. Without a limit on sharing only the shares that are held are known.
void count(Pool& pool, const Row& row, Unavailable node_reason) {
  std::optional<std::int64_t> left = 0;
  std::optional<std::int64_t> free = 0;
  std::int64_t broken = 0;
  for (const DraUnit* unit : row) {
    add(left, unit->left);
    add(free, unit->free);
    const bool is_broken = unit->shown.reason == Unavailable::device_tainted ||
                           unit->shown.reason == Unavailable::pool_incomplete;
    if (is_broken) broken = capped_sum(broken, unit->left.value_or(0));
  }
  pool.capacity = pool.total.value_or(0);
  pool.allocatable = std::max<std::int64_t>(0, pool.capacity - broken);
  pool.allocated = pool.total && left ? *pool.total - *left : shares_held(row);
  pool.free = node_reason == Unavailable::none ? free : std::optional<std::int64_t>(0);
  if (pool.total && pool.free) pool.unavailable = *pool.total - *pool.allocated - *pool.free;
  pool.reason = node_reason;
  if (node_reason == Unavailable::none && pool.unavailable.value_or(1) > 0)
    pool.reason = main_reason(row);
}

/// Claims were not, or not all, seen.
void hide_holdings(Pool& pool, Unavailable node_reason, Coverage claim_coverage) {
  if (claim_coverage == Coverage::partial) pool.at_least = pool.allocated;
  pool.allocated.reset();
  pool.free_cards.reset();
  pool.unavailable.reset();
  if (node_reason != Unavailable::none) return;  // nothing is free, whoever holds it
  pool.free.reset();
  pool.reason = Unavailable::managed_by_dra;
}

Pool row_of(const Row& row, const std::set<std::string_view>& in_use, Unavailable node_reason) {
  const DraUnit& first = *row.front();
  Pool pool{.node = first.shown.node,
            .resource = first.facts.resource,
            .source = PoolSource::dra,
            .kind = first.facts.kind,
            .product = first.facts.product,
            .model = first.facts.model,
            .driver = std::string(value_of(first.shown.device->attributes, "driverVersion"))};
  pool.is_second_view = first.is_second_view;
  pool.sharing = sharing_of(row);
  pool.total = 0;
  std::set<std::string_view> cards;
  std::set<std::string_view> free_cards;
  for (const DraUnit* unit : row) {
    add(pool.total, unit->total);
    cards.insert(unit->shown.card);
    if (unit->shown.is_free && !in_use.contains(unit->shown.card))
      free_cards.insert(unit->shown.card);
  }
  pool.cards = static_cast<std::int64_t>(cards.size());
  pool.free_cards =
      node_reason == Unavailable::none ? static_cast<std::int64_t>(free_cards.size()) : 0;
  count(pool, row, node_reason);
  return pool;
}

void make_unavailable(std::vector<DraUnit>& units, Unavailable reason) {
  for (DraUnit& unit : units) {
    if (unit.left == std::int64_t{0}) continue;
    unit.shown.is_free = false;
    unit.shown.reason = reason;
  }
}

}  // namespace

std::vector<Pool> rows_of(std::vector<DraUnit>& units, Unavailable node_reason,
                          Coverage claim_coverage) {
  const std::set<std::string_view> in_use = cards_in_use(units);
  std::vector<Pool> rows;
  for (const auto& [key, row] : grouped(units)) {
    const bool is_on_demand = row.front()->is_on_demand;
    // What could be cut is not known without knowing what is.
    if (is_on_demand && claim_coverage == Coverage::none) continue;
    Pool pool = row_of(row, in_use, node_reason);
    if (claim_coverage != Coverage::whole) {
      hide_holdings(pool, node_reason, claim_coverage);
      if (is_on_demand) pool.total.reset();
    }
    rows.push_back(std::move(pool));
  }
  if (node_reason != Unavailable::none)
    make_unavailable(units, node_reason);
  else if (claim_coverage != Coverage::whole)
    make_unavailable(units, Unavailable::managed_by_dra);
  return rows;
}

}  // namespace gpu
