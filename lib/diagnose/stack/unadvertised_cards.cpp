#include "diagnose/stack/unadvertised_cards.hpp"

#include "base/quantity.hpp"
#include "usage/rows/inventory.hpp"

namespace gpu::diagnose {

UnadvertisedCards::UnadvertisedCards(const scheduler::Cluster& cluster) {
  if (cluster.snapshot().samples.empty()) return;
  const usage::Inventory inventory(cluster.snapshot());
  for (std::size_t i = 0; i < inventory.pools.size(); ++i) {
    const Pool& pool = inventory.pools[i];
    const usage::PoolDevices& devices = inventory.devices[i];
    if (!usage::lacks_devices(pool, devices) || !devices.units_each) continue;
    units_[{pool.node, pool.resource}] = capped_product(devices.told, *devices.units_each);
  }
}

std::optional<std::int64_t> UnadvertisedCards::units_on(std::string_view node,
                                                        std::string_view resource) const {
  const auto found = units_.find({std::string(node), std::string(resource)});
  return found == units_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace gpu::diagnose
