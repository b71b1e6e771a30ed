#include "usage/rows/pool_use.hpp"

#include <algorithm>

#include "base/quantity.hpp"
#include "usage/devices/holding_time.hpp"
#include "usage/devices/use_sum.hpp"

namespace gpu::usage {
namespace {

/// Those of a pool that are measured, and how many are not.
struct Seen {
  std::vector<const PoolDevice*> measured;
  std::int64_t missing = 0;
  /// What is missing is what nobody could have anyway.
  bool is_excused = false;
};

bool is_measured(const PoolDevice& device) {
  return device.live != nullptr && device.live->sample.measures.utilization;
}

Seen seen_in(const Pool& pool, const PoolDevices& devices) {
  Seen seen;
  for (const PoolDevice& device : devices.devices)
    if (is_measured(device)) seen.measured.push_back(&device);
  const auto measured = static_cast<std::int64_t>(seen.measured.size());
  seen.missing = std::max<std::int64_t>(0, devices.expected.value_or(0) - measured);
  if (seen.missing > 0 && devices.units_each)
    seen.is_excused = pool.unavailable == capped_product(seen.missing, *devices.units_each);
  return seen;
}

Use use_of(const PoolDevice& device) {
  Use use = device.live == nullptr ? Use{.devices = 1} : usage::use_of(*device.live);
  use.memory_total_bytes = device.memory_bytes;
  return use;
}

/// What the node has, measured or not: used memory and what there is have one denominator.
std::optional<std::int64_t> memory_of(const PoolDevices& devices) {
  if (!devices.expected || !devices.is_certain) {
    if (!devices.device_memory || !devices.expected) return std::nullopt;
    return capped_product(*devices.device_memory, *devices.expected);
  }
  std::int64_t sum = 0;
  for (const PoolDevice& device : devices.devices) {
    const auto memory = device.memory_bytes ? device.memory_bytes : devices.device_memory;
    if (!memory) return std::nullopt;
    sum = capped_sum(sum, *memory);
  }
  const std::int64_t unseen = *devices.expected - static_cast<std::int64_t>(devices.devices.size());
  if (unseen <= 0) return sum;
  if (!devices.device_memory) return std::nullopt;
  return capped_sum(sum, capped_product(*devices.device_memory, unseen));
}

Use use_of(const Pool& pool, const PoolDevices& devices, const Seen& seen) {
  Use none{.memory_total_bytes = memory_of(devices), .devices = devices.expected.value_or(0)};
  if (!devices.is_certain || devices.devices.empty() || pool.total == 0) return none;
  UseSum sum;
  if (seen.is_excused) {
    for (const PoolDevice* device : seen.measured) sum.add(use_of(*device), 1);
  } else {
    for (const PoolDevice& device : devices.devices) sum.add(use_of(device), 1);
    const std::int64_t unseen = none.devices - static_cast<std::int64_t>(devices.devices.size());
    if (unseen > 0) sum.add({.devices = unseen}, unseen);
  }
  Use use = sum.sum();
  use.memory_total_bytes = none.memory_total_bytes;
  use.devices = none.devices;
  return use;
}

/// Watts of the cards that the devices of a pool are or stand on, unless another pool has them.
std::optional<double> power_of(const PoolDevices& devices, const Seen& seen,
                               const std::vector<DeviceUse>& on_node,
                               std::set<std::string>& counted) {
  std::set<std::string> cards;
  for (const PoolDevice& device : devices.devices) {
    if (seen.is_excused && !is_measured(device)) continue;
    if (device.live == nullptr) return std::nullopt;
    cards.insert(device.live->card);
  }
  std::optional<double> watts = 0.0;
  for (const std::string& card : cards) {
    const auto whole = std::find_if(on_node.begin(), on_node.end(), [&](const DeviceUse& device) {
      return device.card == card && device.sample.mig_instance.empty() &&
             device.sample.partition.empty();
    });
    const bool is_others = !counted.insert(card).second;
    const bool is_told = whole != on_node.end() && whole->sample.measures.power_watts;
    if (is_others || !is_told)
      watts.reset();
    else if (watts)
      *watts += whole->sample.measures.power_watts.value_or(0);
  }
  return watts;
}

/// Of a MIG pool whose slices have no metrics, while the cards that they are cut from have: nothing
/// else of the node is of that maker.
std::optional<double> power_of_bare_cards(const Pool& pool, const PoolDevices& devices,
                                          const std::vector<DeviceUse>& on_node,
                                          std::set<std::string>& counted) {
  if (pool.kind.kind != DeviceKind::mig_slice || !devices.devices.empty()) return std::nullopt;
  std::set<std::string> cards;
  double watts = 0;
  for (const DeviceUse& device : on_node) {
    if (device.sample.vendor != pool.kind.vendor) continue;
    const auto& power = device.sample.measures.power_watts;
    const bool is_bare = device.sample.mig_instance.empty() && device.sample.partition.empty();
    if (!is_bare || !power || counted.contains(device.card)) return std::nullopt;
    cards.insert(device.card);
    watts += *power;
  }
  if (cards.empty() || pool.cards != static_cast<std::int64_t>(cards.size())) return std::nullopt;
  counted.insert(cards.begin(), cards.end());
  return watts;
}

bool is_complete(const PoolDevices& devices, const Seen& seen) {
  const auto count = static_cast<std::int64_t>(devices.devices.size());
  return devices.is_certain && !devices.devices.empty() &&
         (seen.is_excused || count == devices.expected);
}

/// The sum of the utilizations of what is unavailable, all of which is measured. Who holds what
/// must not matter: totals are the same above views that read no pods. So a plugin's unavailable
/// devices are known only where all do the same.
std::optional<double> unavailable_use(const Pool& pool, const PoolDevices& devices) {
  std::optional<double> each;
  for (const PoolDevice& device : devices.devices) {
    if (device.published != nullptr && device.published->reason == Unavailable::none) continue;
    const auto& utilization = device.live->sample.measures.utilization;
    if (each && each != utilization) return std::nullopt;
    each = utilization;
  }
  if (!each) return std::nullopt;
  return *each * static_cast<double>(*pool.unavailable);
}

/// Units of devices whose use was measured before those who hold them now, and the sum of that use.
struct YoungUse {
  std::int64_t units = 0;
  double sum = 0;
};

YoungUse young_use(const PoolDevices& devices) {
  YoungUse young;
  for (const PoolDevice& device : devices.devices) {
    std::vector<const Pod*> holders;
    for (const DeviceHold& hold : device.holds)
      holders.insert(holders.end(), hold.holding->pods.begin(), hold.holding->pods.end());
    const bool is_young = is_measured(device) && is_of_before(*device.live, holders);
    if (!is_young || !devices.units_each) continue;
    young.units = capped_sum(young.units, *devices.units_each);
    young.sum +=
        *device.live->sample.measures.utilization * static_cast<double>(*devices.units_each);
  }
  return young;
}

/// Without what was measured before its holders began.
OpenUse without_young(const OpenUse& all, const PoolDevices& devices) {
  const YoungUse young = young_use(devices);
  if (young.units == 0 || !all.utilization) return all;
  OpenUse rest{.units = std::max<std::int64_t>(0, all.units - young.units)};
  if (rest.units == 0) return rest;
  const double sum = *all.utilization * static_cast<double>(all.units) - young.sum;
  rest.utilization = std::clamp(sum / static_cast<double>(rest.units), 0.0, 1.0);
  return rest;
}

OpenUse open_use(const Pool& pool, const PoolDevices& devices, const Seen& seen, const Use& all) {
  const std::int64_t total = pool.total.value_or(0);
  std::optional<std::int64_t> unavailable = pool.unavailable;
  if (!unavailable && pool.reason == Unavailable::none) unavailable = 0;
  if (!unavailable) return {.units = total};
  OpenUse open{.units = total - *unavailable, .utilization = all.utilization};
  if (*unavailable == 0 || open.units == 0 || seen.is_excused || !all.utilization) return open;
  const std::optional<double> lost = unavailable_use(pool, devices);
  // One sick card of many must not hide what all do.
  if (!lost) return {.units = total, .utilization = all.utilization};
  open.utilization = std::max(0.0, (*all.utilization * static_cast<double>(total) - *lost) /
                                       static_cast<double>(open.units));
  return open;
}

bool is_shared(const PoolDevice& device, const Holding& holding) {
  if (device.rest > 0) return true;
  return std::any_of(device.holds.begin(), device.holds.end(),
                     [&](const DeviceHold& hold) { return hold.holding != &holding; });
}

std::int64_t units_on(const PoolDevice& device, const Holding& holding) {
  std::int64_t units = 0;
  for (const DeviceHold& hold : device.holds)
    if (hold.holding == &holding) units = capped_sum(units, hold.units);
  return units;
}

}  // namespace

std::vector<PoolUse> pool_uses(const NodePools& node, const std::vector<PoolDevices>& devices,
                               const LiveUse& live) {
  std::vector<PoolUse> uses;
  std::set<std::string> counted;
  for (std::size_t i = 0; i < node.pools.size(); ++i) {
    const Pool& pool = *node.pools[i];
    const Seen seen = seen_in(pool, devices[i]);
    PoolUse use{.all = use_of(pool, devices[i], seen)};
    const std::vector<DeviceUse>& on_node = live.devices_on(pool.node);
    use.all.power_watts = is_complete(devices[i], seen)
                              ? power_of(devices[i], seen, on_node, counted)
                              : power_of_bare_cards(pool, devices[i], on_node, counted);
    use.open = without_young(open_use(pool, devices[i], seen, use.all), devices[i]);
    uses.push_back(use);
  }
  return uses;
}

HeldUse held_use(const PoolDevices& devices, const Holding& holding, const Pod* pod) {
  HeldUse held;
  UseSum sum;
  std::int64_t known = 0;
  for (const PoolDevice& device : devices.devices) {
    const std::int64_t units = units_on(device, holding);
    if (units == 0) continue;
    known = capped_sum(known, units);
    if (device.live != nullptr && is_of_before(*device.live, holding.pods)) {
      held.is_shared = held.is_shared || is_shared(device, holding);
      sum.add({.memory_total_bytes = device.memory_bytes, .is_of_before = true, .devices = 1},
              units);
      continue;
    }
    if (!is_shared(device, holding)) {
      sum.add(use_of(device), units);
      continue;
    }
    held.is_shared = true;
    const bool is_told = pod != nullptr && device.live != nullptr;
    sum.add(is_told ? own_use(*device.live, *pod) : Use{.devices = 1}, units);
  }
  held.use = sum.sum();
  if (known == holding.units) return held;
  held.use = {.is_of_before = held.use.is_of_before,
              .devices = std::max(holding.units, held.use.devices)};
  if (devices.units_each == 1 && devices.device_memory)
    held.use.memory_total_bytes = capped_product(*devices.device_memory, holding.units);
  return held;
}

}  // namespace gpu::usage
