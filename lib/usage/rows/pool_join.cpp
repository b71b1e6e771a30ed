#include <algorithm>
#include <set>
#include <string_view>

#include "base/ascii.hpp"
#include "base/quantity.hpp"
#include "model/gpu/gpu_labels.hpp"
#include "usage/devices/card_keys.hpp"
#include "usage/rows/device_memory.hpp"
#include "usage/rows/pool_devices.hpp"

namespace gpu::usage {
namespace {

using Pools = std::vector<const Pool*>;

/// "1g.10gb+me" and "1g.10gb.me" are one profile.
std::string profile_key(std::string_view profile) {
  std::string key = lower_case(profile);
  std::replace(key.begin(), key.end(), '+', '.');
  return key;
}

/// "1g" of "1g.10gb", "1g.me" of "1g.12gb.me": what is left when drivers disagree about the memory.
std::string profile_size(std::string_view profile) {
  std::string key = profile_key(profile);
  const std::size_t begin = key.find('.');
  if (begin == std::string::npos) return key;
  return key.erase(begin, key.find('.', begin + 1) - begin);
}

/// What one node's telemetry is of: which cards are cut into parts.
class NodeDevices {
 public:
  explicit NodeDevices(const std::vector<DeviceUse>& devices) {
    for (const DeviceUse& device : devices) {
      const Sample& sample = device.sample;
      const bool is_cut = !sample.mig_instance.empty() ||
                          (sample.vendor == Vendor::amd && !sample.partition.empty());
      if (is_cut) cut_.insert(device.card);
    }
  }

  /// Whether units of `pool` are such devices.
  [[nodiscard]] bool is_of_kind(const DeviceUse& device, const Pool& pool) const {
    const Sample& sample = device.sample;
    if (sample.vendor != pool.kind.vendor) return false;
    const bool is_card = sample.mig_instance.empty() && sample.partition.empty();
    switch (pool.kind.kind) {
      case DeviceKind::card:
        return is_card && !cut_.contains(device.card);
      case DeviceKind::mig_slice:
        return !sample.mig_instance.empty();
      case DeviceKind::partition:
        return !sample.partition.empty();
      case DeviceKind::vgpu:
        return false;
      case DeviceKind::alias:
        return pool.kind.profile == "neuroncore" ? !sample.partition.empty() : is_card;
    }
    return false;
  }

 private:
  std::set<std::string_view> cut_;
};

template <typename Is>
Pools chosen(const Pools& pools, Is is) {
  Pools found;
  std::copy_if(pools.begin(), pools.end(), std::back_inserter(found), is);
  return found;
}

/// The MIG pools that may have an instance: of its profile, or else the only one of its size.
Pools of_profile(const Pools& pools, const Sample& sample) {
  if (sample.profile.empty()) return pools;
  const std::string key = profile_key(sample.profile);
  Pools same =
      chosen(pools, [&](const Pool* pool) { return profile_key(pool->kind.profile) == key; });
  if (!same.empty()) return same;
  const std::string size = profile_size(sample.profile);
  return chosen(pools, [&](const Pool* pool) { return profile_size(pool->kind.profile) == size; });
}

/// Pools whose model goes with the product that telemetry names.
Pools of_product(const Pools& pools, const Sample& sample) {
  if (pools.size() < 2 || sample.product.empty()) return pools;
  const std::string family = family_of(short_model(sample.product, std::nullopt));
  return chosen(pools, [&](const Pool* pool) {
    return family_of(short_model(pool->product, std::nullopt)) == family;
  });
}

std::optional<std::int64_t> quotient(const std::optional<std::int64_t>& units,
                                     const std::optional<std::int64_t>& each) {
  if (!units || !each || *each <= 0 || *units % *each != 0) return std::nullopt;
  return *units / *each;
}

/// Telemetry and a plugin's pool: how many devices there should be.
PoolDevices empty_devices(const Pool& pool, const Node& node) {
  PoolDevices made;
  made.units_each = pool.sharing.strategy == SharingStrategy::none ? 1 : pool.sharing.replicas;
  made.expected = quotient(pool.total, made.units_each);
  if (!made.expected && pool.kind.kind == DeviceKind::card) made.expected = pool.cards;
  made.device_memory = labelled_memory(node, pool);
  return made;
}

std::optional<std::int64_t> memory_of(const DeviceUse& live,
                                      const std::optional<std::int64_t>& labelled) {
  const auto told = std::max(live.sample.measures.memory_total_bytes, labelled);
  return told ? told : profile_memory(live.sample.profile);
}

void add_live(PoolDevices& devices, const DeviceUse& live) {
  devices.devices.push_back({.live = &live,
                             .rest = devices.units_each.value_or(0),
                             .memory_bytes = memory_of(live, devices.device_memory)});
}

/// Of the cards: a second view has the same ones.
enum class View { first, second };

/// Joins to the pools of device plugins, those of one view at a time.
void join_plugin(const NodePools& node, const std::vector<DeviceUse>& devices, View view,
                 std::vector<PoolDevices>& all) {
  const NodeDevices kinds(devices);
  for (const DeviceUse& device : devices) {
    Pools pools = chosen(node.pools, [&](const Pool* pool) {
      return pool->source == PoolSource::device_plugin &&
             pool->is_second_view == (view == View::second) && kinds.is_of_kind(device, *pool);
    });
    if (!device.sample.mig_instance.empty()) pools = of_profile(pools, device.sample);
    pools = of_product(pools, device.sample);
    for (std::size_t i = 0; i < node.pools.size(); ++i) {
      if (std::find(pools.begin(), pools.end(), node.pools[i]) == pools.end()) continue;
      add_live(all[i], device);
      if (pools.size() > 1) all[i].is_certain = false;
    }
  }
}

bool is_dra_device(const DeviceUse& live, const DeviceId& id) {
  const std::optional<SampleDraDevice>& dra = live.sample.dra;
  return dra && dra->driver == id.driver && dra->pool == id.pool && dra->device == id.device;
}

/// The only one of `devices` for which `is` says yes.
template <typename Is>
const DeviceUse* only(const std::vector<DeviceUse>& devices, Is is) {
  const DeviceUse* found = nullptr;
  for (const DeviceUse& device : devices) {
    if (!is(device)) continue;
    if (found != nullptr) return nullptr;
    found = &device;
  }
  return found;
}

const DeviceUse* live_of(const DraDevice& published, const std::vector<DeviceUse>& devices) {
  const auto is_named = [&](const DeviceUse& live) { return is_dra_device(live, published.id); };
  if (const DeviceUse* live = only(devices, is_named)) return live;
  if (published.kind.kind != DeviceKind::card) return nullptr;
  const auto is_card = [&](const DeviceUse& live) {
    return live.sample.mig_instance.empty() && live.sample.partition.empty() &&
           live.sample.vendor == published.kind.vendor;
  };
  if (!published.uuid.empty())
    return only(devices, [&](const DeviceUse& live) {
      return is_card(live) && same_uuid(live.sample.uuid, published.uuid);
    });
  const StringMap& attributes = published.device->attributes;
  const std::string address(value_of(attributes, "resource.kubernetes.io/pciBusID"));
  if (!address.empty())
    return only(devices, [&](const DeviceUse& live) {
      return is_card(live) && pci_key(live.sample.pci_bus_id) == pci_key(address);
    });
  const auto index = whole_number(value_of(attributes, "index"));
  if (!index) return nullptr;
  return only(devices,
              [&](const DeviceUse& live) { return is_card(live) && live.sample.index == index; });
}

/// A pool may have its model from labels, where its devices publish none.
bool belongs(const DraDevice& device, const Pool& pool) {
  return device.resource == pool.resource && (device.model == pool.model || device.model.empty());
}

void join_dra(const Pool& pool, const DraInventory& dra, const std::vector<DeviceUse>& devices,
              PoolDevices& into) {
  into.expected = 0;
  for (const DraDevice& published : dra.devices_on(pool.node)) {
    if (!belongs(published, pool)) continue;
    PoolDevice device{.live = live_of(published, devices), .published = &published};
    const std::int64_t memory = amount_of(published.device->capacity, "memory").value();
    if (memory > 0)
      device.memory_bytes = memory;
    else if (device.live != nullptr)
      device.memory_bytes = memory_of(*device.live, into.device_memory);
    into.devices.push_back(std::move(device));
    ++*into.expected;
  }
}

}  // namespace

std::vector<PoolDevices> joined(const NodePools& node, const LiveUse& live,
                                const DraInventory& dra) {
  std::vector<PoolDevices> all;
  if (node.pools.empty()) return all;
  const std::vector<DeviceUse>& devices = live.devices_on(node.pools.front()->node);
  for (const Pool* pool : node.pools) {
    all.push_back(empty_devices(*pool, *node.node));
    if (pool->source == PoolSource::dra) join_dra(*pool, dra, devices, all.back());
  }
  for (const View view : {View::first, View::second}) join_plugin(node, devices, view, all);
  for (PoolDevices& one : all) {
    const auto count = static_cast<std::int64_t>(one.devices.size());
    one.told = std::count_if(one.devices.begin(), one.devices.end(),
                             [](const PoolDevice& device) { return device.live != nullptr; });
    if (!one.expected || !one.units_each || count > *one.expected) one.is_certain = false;
  }
  return all;
}

}  // namespace gpu::usage
