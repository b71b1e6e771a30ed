#include "model/holdings/claim_holding.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/quantity.hpp"
#include "model/dra/dra_device.hpp"
#include "model/dra/dra_held.hpp"

namespace gpu {
namespace {

/// Where the devices of a pool stand: node, resource, model.
using PoolKey = std::tuple<std::string_view, std::string_view, std::string_view>;

std::map<PoolKey, std::size_t> dra_pools_by_key(const std::vector<Pool>& pools) {
  std::map<PoolKey, std::size_t> found;
  for (std::size_t i = 0; i < pools.size(); ++i)
    if (pools[i].source == PoolSource::dra)
      found.emplace(PoolKey{pools[i].node, pools[i].resource, pools[i].model}, i);
  return found;
}

/// The pool that a device counts in. One that publishes no model may count in a pool to which the
/// labels of the node gave one.
std::optional<std::size_t> pool_of(const DraDevice& device,
                                   const std::map<PoolKey, std::size_t>& pools) {
  const PoolKey key{device.node, device.resource, device.model};
  const auto at = pools.lower_bound(key);
  if (at == pools.end()) return std::nullopt;
  const auto& [node, resource, model] = at->first;
  const bool is_its = node == device.node && resource == device.resource &&
                      (model == device.model || device.model.empty());
  return is_its ? std::optional(at->second) : std::nullopt;
}

/// A device of one pool that claims hold, or that limits what is counted there.
struct HeldDevice {
  std::size_t pool = 0;
  const DraDevice* device = nullptr;
};

std::vector<HeldDevice> devices_of(const DraInventory& dra, const std::vector<Pool>& pools) {
  const std::map<PoolKey, std::size_t> keys = dra_pools_by_key(pools);
  std::vector<HeldDevice> devices;
  std::string_view last;
  for (const Pool& pool : pools) {
    if (pool.source != PoolSource::dra || pool.node == last) continue;
    last = pool.node;
    for (const DraDevice& device : dra.devices_on(pool.node)) {
      if (const auto at = pool_of(device, keys)) devices.push_back({*at, &device});
    }
  }
  return devices;
}

/// Whether the units of each pool are numbered: a device that any number of claims may share makes
/// its pool count shares.
std::map<std::size_t, bool> limited_pools(const std::vector<HeldDevice>& devices) {
  std::map<std::size_t, bool> limited;
  for (const auto& [pool, device] : devices) {
    const bool has_limit =
        !device->device->allow_multiple || shares_of(*device->device, {}).total.has_value();
    bool& all = limited.emplace(pool, true).first->second;
    all = all && has_limit;
  }
  return limited;
}

/// Hands the units of one device out to its claims, so that they add up to what its pool counts.
class DeviceUnits {
 public:
  DeviceUnits(const DraDevice& device, bool is_limited) : device_(device), is_limited_(is_limited) {
    for (const ResourceClaim* claim : device.claims)
      for (const AllocatedDevice& result : claim->devices)
        if (is_of_device(result) && result.share_id.empty()) is_whole_ = true;
    left_ = is_limited ? total() : 0;
  }

  /// The units of `claim`; call once for each claim of the device.
  std::int64_t take(const ResourceClaim& claim) {
    std::int64_t units = 0;
    for (const AllocatedDevice& result : claim.devices)
      if (is_of_device(result)) units = capped_sum(units, take(result));
    return units;
  }

 private:
  [[nodiscard]] bool is_of_device(const AllocatedDevice& result) const {
    return !result.admin_access && result.id == device_.id;
  }

  [[nodiscard]] std::int64_t total() const {
    if (!device_.device->allow_multiple) return 1;
    return shares_of(*device_.device, {}).total.value_or(0);
  }

  std::int64_t take(const AllocatedDevice& result) {
    const bool is_share = !result.share_id.empty();
    if (!is_limited_) return take_unnumbered(is_share);
    add_to(consumed_, result.consumed);
    const bool takes_all = !is_share || !device_.device->allow_multiple;
    const std::int64_t left =
        takes_all ? 0 : shares_of(*device_.device, consumed_).left.value_or(0);
    const std::int64_t before = left_;
    left_ = std::min(before, std::max<std::int64_t>(0, left));
    return before - left_;
  }

  /// A device that is held whole is one unit, whatever shares there are of it, too.
  std::int64_t take_unnumbered(bool is_share) {
    if (!is_whole_) return 1;
    return is_share ? 0 : 1 - std::exchange(whole_units_, 1);
  }

  const DraDevice& device_;
  bool is_limited_;
  bool is_whole_ = false;
  std::int64_t left_ = 0;
  std::int64_t whole_units_ = 0;
  ResourceList consumed_;
};

/// The kept pods that may hold something, by uid and by name.
class Pods {
 public:
  explicit Pods(const Snapshot& snapshot) {
    for (const Pod& pod : snapshot.pods) {
      if (is_finished(pod)) continue;
      if (!pod.uid.empty()) by_uid_.emplace(pod.uid, &pod);
      by_name_.emplace(std::pair{std::string_view(pod.ns), std::string_view(pod.name)}, &pod);
    }
  }

  [[nodiscard]] std::vector<const Pod*> users_of(const ResourceClaim& claim) const {
    std::vector<const Pod*> pods;
    for (const ClaimUser& user : claim.reserved_for)
      if (const Pod* pod = find(claim.ns, user);
          pod != nullptr && std::find(pods.begin(), pods.end(), pod) == pods.end())
        pods.push_back(pod);
    return pods;
  }

 private:
  [[nodiscard]] const Pod* find(std::string_view ns, const ClaimUser& user) const {
    if (!user.uid.empty()) {
      const auto at = by_uid_.find(user.uid);
      return at == by_uid_.end() ? nullptr : at->second;
    }
    const auto at = by_name_.find({ns, user.name});
    return at == by_name_.end() ? nullptr : at->second;
  }

  std::map<std::string_view, const Pod*> by_uid_;
  std::map<std::pair<std::string_view, std::string_view>, const Pod*> by_name_;
};

}  // namespace

std::vector<Holding> claim_holdings(const Snapshot& snapshot, const DraInventory& dra,
                                    const std::vector<Pool>& pools) {
  const std::vector<HeldDevice> devices = devices_of(dra, pools);
  const std::map<std::size_t, bool> limited = limited_pools(devices);
  const Pods pods(snapshot);
  std::map<std::pair<std::size_t, const ResourceClaim*>, std::size_t> places;
  std::vector<Holding> holdings;
  for (const auto& [pool, device] : devices) {
    DeviceUnits units(*device, limited.at(pool));
    for (const ResourceClaim* claim : device->claims) {
      const auto [place, is_new] = places.emplace(std::pair{pool, claim}, holdings.size());
      if (is_new)
        holdings.push_back({.pool = pool,
                            .ns = claim->ns,
                            .claim = claim->name,
                            .pods = pods.users_of(*claim),
                            .evidence = Evidence::claim});
      Holding& holding = holdings[place->second];
      holding.units = capped_sum(holding.units, units.take(*claim));
      holding.devices.push_back(device->id.device);
    }
  }
  return holdings;
}

}  // namespace gpu
