#include "model/dra/dra_unit.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace gpu {
namespace {

constexpr std::optional<std::int64_t> kNothing = 0;

std::string_view node_of(const ResourceSlice& slice, const Device& device) {
  if (slice.is_on_many_nodes || device.is_on_many_nodes) return {};
  return slice.node_name.empty() ? device.node_name : slice.node_name;
}

/// How many devices of a pool live off each of its counter sets.
std::map<std::string_view, int> users_of_counters(const DraPool& pool) {
  std::map<std::string_view, int> users;
  for (const ResourceSlice* slice : pool.slices)
    for (const Device& device : slice->devices)
      for (const CounterUse& use : device.consumes) ++users[use.set];
  return users;
}

void count_shares(DraUnit& unit) {
  const ResourceList none;
  const bool is_whole = unit.held != nullptr && unit.held->is_whole;
  if (!unit.shown.device->allow_multiple) {
    unit.left = unit.held == nullptr ? 1 : 0;
    return;
  }
  const DraShares shares =
      shares_of(*unit.shown.device, unit.held == nullptr ? none : unit.held->consumed);
  unit.total = shares.total;
  unit.left = is_whole ? kNothing : shares.left;
}

DraUnit unit_of(const DraPool& pool, const Device& device, std::string_view node,
                const DraHoldings& holdings, DraModels& models) {
  DraUnit unit;
  unit.shown.id = {
      .driver = std::string(pool.driver), .pool = std::string(pool.name), .device = device.name};
  unit.shown.device = &device;
  unit.shown.node = node;
  unit.shown.uuid = value_of(device.attributes, "uuid");
  unit.facts = facts_of(pool.driver, device, models);
  unit.shown.resource = unit.facts.resource;
  unit.shown.kind = unit.facts.kind;
  unit.shown.model = unit.facts.model;
  if (const auto held = holdings.find(unit.shown.id); held != holdings.end()) {
    unit.held = &held->second;
    unit.shown.claims = held->second.claims;
  }
  count_shares(unit);
  return unit;
}

bool is_whole_card(const DraUnit& unit) {
  return unit.facts.kind.kind == DeviceKind::card && !unit.facts.is_passthrough;
}

std::pair<std::string_view, std::string_view> card_key(const DraUnit& unit) {
  return {unit.shown.id.driver, unit.shown.card};
}

using CardSet = std::set<std::pair<std::string_view, std::string_view>>;

void find_cards(std::vector<DraUnit>& units) {
  DraCards cards;
  const auto name_card = [&](DraUnit& unit) {
    unit.shown.card = cards.card_of(unit.shown.id, *unit.shown.device, unit.facts);
  };
  for (DraUnit& unit : units)
    if (is_whole_card(unit)) name_card(unit);
  for (DraUnit& unit : units)
    if (!is_whole_card(unit)) name_card(unit);
  CardSet known;
  for (const DraUnit& unit : units)
    if (!unit.facts.is_passthrough) known.insert(card_key(unit));
  for (DraUnit& unit : units)
    unit.is_second_view = unit.facts.is_passthrough && known.contains(card_key(unit));
}

Unavailable obstacle_of(const DraUnit& unit, const DraPool& pool) {
  if (!pool.unusable.empty()) return Unavailable::pool_incomplete;
  const auto blocks = [](const Taint& taint) {
    return taint.effect == "NoSchedule" || taint.effect == "NoExecute";
  };
  const std::vector<Taint>& taints = unit.shown.device->taints;
  return std::any_of(taints.begin(), taints.end(), blocks) ? Unavailable::device_tainted
                                                           : Unavailable::none;
}

bool holds_shares_only(const DraUnit& unit) {
  return unit.held != nullptr && !unit.held->is_whole && unit.held->shares > 0;
}

/// Frees what is left of `unit`, and takes it out of the counters of its pool.
void free_unit(DraUnit& unit, DraCounters& counters) {
  // Another share takes no counters again.
  if (!holds_shares_only(unit)) {
    if (!counters.suffice_for(*unit.shown.device)) {
      unit.shown.reason = Unavailable::card_in_use;
      return;
    }
    counters.take(*unit.shown.device);
  }
  unit.free = unit.left;
  unit.shown.is_free = true;
}

/// What stands against each unit that is left, whatever the counters say.
void find_obstacles(std::vector<DraUnit>& units, const std::vector<DraPool>& pools) {
  // A card that is held in one driver mode cannot be had in the other.
  CardSet in_passthrough;
  CardSet in_use;
  for (const DraUnit& unit : units)
    if (unit.held != nullptr)
      (unit.facts.is_passthrough ? in_passthrough : in_use).insert(card_key(unit));
  for (DraUnit& unit : units) {
    if (unit.left == kNothing) continue;
    unit.shown.reason = obstacle_of(unit, pools[unit.pool]);
    if (unit.shown.reason != Unavailable::none) continue;
    const CardSet& others = unit.facts.is_passthrough ? in_use : in_passthrough;
    if (others.contains(card_key(unit))) unit.shown.reason = Unavailable::card_in_use;
  }
}

/// What the held devices of a pool leave of its counters. kube-scheduler 1.36 forgets those of
/// devices that are shared by capacity; the driver that cuts the card does not.
DraCounters counters_after(const DraPool& pool, const DraHoldings& holdings) {
  DraCounters counters(pool);
  for (const ResourceSlice* slice : pool.slices)
    for (const Device& device : slice->devices)
      if (!device.consumes.empty() &&
          holdings.contains({std::string(pool.driver), std::string(pool.name), device.name}))
        counters.take(device);
  return counters;
}

/// Largest first; of one size in the order of the scheduler.
void sort_by_size(std::vector<DraUnit*>& slices) {
  const auto key = [](const DraUnit* unit) {
    const ResourceList& capacity = unit->shown.device->capacity;
    return std::tuple(amount_of(capacity, "memory"), amount_of(capacity, "multiprocessors"),
                      amount_of(capacity, "computeUnits"));
  };
  std::stable_sort(slices.begin(), slices.end(), [&](const DraUnit* a, const DraUnit* b) {
    if (key(a) != key(b)) return key(b) < key(a);
    return a->facts.kind.profile < b->facts.kind.profile;
  });
}

/// A card may be published as several devices of which one at a time can be had.
void count_cards_once(std::vector<DraUnit>& units) {
  std::map<std::pair<std::string_view, std::string_view>, DraUnit*> chosen;
  const auto weight = [](const DraUnit& unit) {
    return unit.held != nullptr ? 2 : unit.shown.is_free ? 1 : 0;
  };
  for (DraUnit& unit : units) {
    if (!is_whole_card(unit)) continue;
    DraUnit*& best = chosen[card_key(unit)];
    if (best == nullptr) {
      best = &unit;
      continue;
    }
    DraUnit& less = weight(unit) > weight(*best) ? *best : unit;
    if (&less == best) best = &unit;
    if (weight(less) == 0) less.is_counted = false;
  }
}

void count(std::vector<DraUnit>& units) {
  count_cards_once(units);
  for (DraUnit& unit : units) {
    if (unit.is_on_demand && unit.held == nullptr && !unit.shown.is_free) unit.is_counted = false;
    if (!unit.is_counted) unit.shown.resource.clear();
  }
}

}  // namespace

DraUnits units_of(const std::vector<DraPool>& pools, const DraHoldings& holdings) {
  DraUnits units;
  DraModels models;
  for (std::size_t index = 0; index < pools.size(); ++index) {
    const std::map<std::string_view, int> users = users_of_counters(pools[index]);
    for (const ResourceSlice* slice : pools[index].slices)
      for (const Device& device : slice->devices) {
        const std::string_view node = node_of(*slice, device);
        if (node.empty()) continue;
        DraUnit unit = unit_of(pools[index], device, node, holdings, models);
        unit.pool = index;
        unit.is_on_demand =
            !is_whole_card(unit) &&
            std::any_of(device.consumes.begin(), device.consumes.end(),
                        [&](const CounterUse& use) { return users.at(use.set) > 1; });
        units[std::string(node)].push_back(std::move(unit));
      }
  }
  for (auto& [node, of_node] : units) find_cards(of_node);
  return units;
}

void hand_out(DraUnits& units, const std::vector<DraPool>& pools, const DraHoldings& holdings) {
  std::vector<DraCounters> counters;
  counters.reserve(pools.size());
  for (const DraPool& pool : pools) counters.push_back(counters_after(pool, holdings));
  std::vector<DraUnit*> slices;
  std::vector<DraUnit*> second_views;
  for (auto& [node, of_node] : units) {
    find_obstacles(of_node, pools);
    for (DraUnit& unit : of_node) {
      const bool is_open = unit.shown.reason == Unavailable::none && unit.left != kNothing;
      if (!is_open) continue;
      if (unit.is_second_view)
        second_views.push_back(&unit);
      else if (unit.facts.kind.kind == DeviceKind::card)
        free_unit(unit, counters[unit.pool]);
      else
        slices.push_back(&unit);
    }
  }
  sort_by_size(slices);
  for (DraUnit* unit : slices) free_unit(*unit, counters[unit->pool]);
  // The cards again, in place of the first view and not beside it.
  std::map<std::size_t, DraCounters> again;
  for (DraUnit* unit : second_views)
    free_unit(
        *unit,
        again.try_emplace(unit->pool, counters_after(pools[unit->pool], holdings)).first->second);
  for (auto& [node, of_node] : units) count(of_node);
}

}  // namespace gpu
