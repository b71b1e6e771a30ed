#include "usage/gpu_usage.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/quantity.hpp"
#include "model/gpu_labels.hpp"
#include "usage/unit.hpp"

namespace gpu::usage {
namespace {

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole && number >= 0 ? std::optional(number) : std::nullopt;
}

std::optional<std::int64_t> mib_label(const Node& node, const std::string& name) {
  return number_in(value_of(node.labels, name));
}

/// Memory of one unit as labels tell it; of a share nobody knows.
std::optional<std::int64_t> labelled_memory(const Node& node, const Pool& pool) {
  constexpr std::int64_t kMi = 1 << 20;
  const std::optional<GpuLabels> labels = gpu_labels(node.labels);
  if (!labels || labels->vendor != pool.kind.vendor) return std::nullopt;
  std::optional<std::int64_t> mib;
  const bool is_single_mig = !labels->single_mig_profile.empty();
  if (unit_of(pool) == Unit::gpu || (unit_of(pool) == Unit::mig && is_single_mig))
    mib = labels->memory_mib;
  else if (unit_of(pool) == Unit::mig)
    mib = mib_label(node, "nvidia.com/mig-" + pool.kind.profile + ".memory");
  return mib && *mib > 0 ? std::optional(capped_product(*mib, kMi)) : std::nullopt;
}

/// The container that the kubelet gave `device`; without a device the only one that asks for the
/// resource.
std::string container_of(const Pod& pod, const std::string& resource, const std::string& device) {
  for (const auto* statuses : {&pod.container_statuses, &pod.init_container_statuses})
    for (const ContainerResourceStatus& status : *statuses)
      for (const AllocatedResource& given : status.devices)
        if (!device.empty() && given.id == device) return status.name;
  std::string only;
  for (const Container& container : pod.containers) {
    const bool asks = amount_of(container.requests, resource) > Quantity{} ||
                      amount_of(container.limits, resource) > Quantity{};
    if (!asks) continue;
    if (!only.empty()) return {};
    only = container.name;
  }
  return only;
}

Health health_of(const Pod& pod, const std::string& device) {
  for (const auto* statuses : {&pod.container_statuses, &pod.init_container_statuses})
    for (const ContainerResourceStatus& status : *statuses)
      for (const AllocatedResource& given : status.devices) {
        if (given.id != device) continue;
        if (given.health == "Healthy") return Health::ok;
        if (given.health == "Unhealthy") return Health::unhealthy;
      }
  return Health::unknown;
}

/// The units of a pool are amounts of a card's memory or capacity: several stand on one device.
bool has_amounts(const Pool& pool) {
  return pool.sharing.strategy == SharingStrategy::gpushare ||
         pool.sharing.strategy == SharingStrategy::capacity;
}

/// Units of `holding` on each of its devices, the first ones get what is left over. Empty where
/// the names do not go with the number: nobody can say then which device is whose.
std::vector<std::int64_t> units_by_device(const Pool& pool, const Holding& holding) {
  const auto devices = static_cast<std::int64_t>(holding.devices.size());
  if (devices == 0 || devices > holding.units) return {};
  std::vector<std::int64_t> units(holding.devices.size(), 1);
  if (!has_amounts(pool)) return units;
  std::int64_t rest = holding.units % devices;
  for (std::int64_t& one : units) one = holding.units / devices + (rest-- > 0 ? 1 : 0);
  return units;
}

/// Collects the rows of one pool, and counts what they stand for.
class PoolRows {
 public:
  PoolRows(const Inventory& inventory, const Node& node, std::size_t pool,
           std::vector<const Holding*> holdings)
      : inventory_(inventory),
        pool_(inventory.pools[pool]),
        holdings_(std::move(holdings)),
        unit_memory_(labelled_memory(node, pool_)) {}

  std::vector<GpuUsage> rows() {
    if (pool_.source == PoolSource::dra) add_published();
    for (const Holding* holding : holdings_) add_rest_of(*holding);
    const auto by_name = [](const GpuUsage& a, const GpuUsage& b) {
      return std::forward_as_tuple(a.device.empty(), !a.index, a.index, a.device) <
             std::forward_as_tuple(b.device.empty(), !b.index, b.index, b.device);
    };
    std::stable_sort(rows_.begin(), rows_.end(), by_name);
    add_uncounted();
    return std::move(rows_);
  }

 private:
  [[nodiscard]] GpuUsage by_number(std::int64_t units, DeviceState state) const {
    GpuUsage row{.pool = &pool_, .units = units, .state = state};
    if (unit_memory_) row.memory_bytes = capped_product(*unit_memory_, units);
    if (state == DeviceState::unavailable) row.reason = pool_.reason;
    return row;
  }

  void put(GpuUsage row) {
    std::int64_t& sum = counted_[static_cast<std::size_t>(row.state)];
    sum = capped_sum(sum, row.units);
    rows_.push_back(std::move(row));
  }

  void hold(GpuUsage& row, const Holding& holding) const {
    row.state = DeviceState::held;
    row.evidence = holding.evidence;
    if (!holding.claim.empty()) row.claims.push_back(holding.ns + "/" + holding.claim);
    for (const Pod* pod : holding.pods)
      row.pods.push_back({pod, container_of(*pod, pool_.resource, row.device)});
  }

  /// A device that DRA publishes stands in a row whether or not it is held.
  void add_published() {
    for (const DraDevice& device : inventory_.dra.devices_on(pool_.node)) {
      if (!belongs(device)) continue;
      const std::size_t before = rows_.size();
      for (const Holding* holding : holdings_) add_held(device, *holding);
      if (rows_.size() > before || !device.claims.empty()) continue;
      // How many shares are left is counted for the pool, not for each of its devices.
      if (has_amounts(pool_)) continue;
      GpuUsage row = row_of(device);
      row.state = device.is_free ? DeviceState::free : DeviceState::unavailable;
      row.reason = device.reason;
      if (!pool_.allocated) row.state = DeviceState::unknown;
      // A card may have other faces, which are not counted again.
      if (room_for(row.state) > 0) put(std::move(row));
    }
  }

  /// Units in `state` that the pool counts beyond the rows.
  [[nodiscard]] std::int64_t room_for(DeviceState state) const {
    const auto counted = [&](DeviceState of) { return counted_[static_cast<std::size_t>(of)]; };
    switch (state) {
      case DeviceState::held:
        return pool_.allocated.value_or(0) - counted(state);
      case DeviceState::free:
        return pool_.free.value_or(0) - counted(state);
      case DeviceState::unavailable:
        return pool_.unavailable.value_or(0) - counted(state);
      case DeviceState::unknown:
        return pool_.total.value_or(0) - counted(DeviceState::held) - counted(state);
    }
    return 0;
  }

  [[nodiscard]] bool belongs(const DraDevice& device) const {
    // A pool may have its model from labels, where its devices publish none.
    return device.resource == pool_.resource &&
           (device.model == pool_.model || device.model.empty());
  }

  void add_held(const DraDevice& device, const Holding& holding) {
    const std::vector<std::int64_t> units = units_by_device(pool_, holding);
    for (std::size_t i = 0; i < units.size(); ++i) {
      if (holding.devices[i] != device.id.device) continue;
      GpuUsage row = row_of(device);
      row.units = units[i];
      hold(row, holding);
      put(std::move(row));
    }
  }

  [[nodiscard]] GpuUsage row_of(const DraDevice& device) const {
    GpuUsage row{.pool = &pool_, .uuid = device.uuid, .device = device.id.device};
    const bool is_card = device.kind.kind == DeviceKind::card;
    row.index = number_in(value_of(device.device->attributes, is_card ? "index" : "parentIndex"));
    const bool blocks = device.reason == Unavailable::device_tainted;
    if (blocks) row.health = Health::tainted;
    const std::int64_t memory = amount_of(device.device->capacity, "memory").value();
    if (memory > 0 && !has_amounts(pool_)) row.memory_bytes = memory;
    return row;
  }

  /// Devices that only the holder names, and units without a name.
  void add_rest_of(const Holding& holding) {
    if (holding.units == 0) return join_holder(holding);
    const std::vector<std::int64_t> units = units_by_device(pool_, holding);
    std::int64_t rest = holding.units;
    for (std::size_t i = 0; i < units.size(); ++i) {
      rest -= units[i];
      if (!is_published(holding.devices[i])) put(named(holding, holding.devices[i], units[i]));
    }
    if (rest <= 0) return;
    GpuUsage row = by_number(rest, DeviceState::held);
    hold(row, holding);
    put(std::move(row));
  }

  /// A claim beside the one that is counted: by mistake, or because that is not used up.
  void join_holder(const Holding& holding) {
    for (GpuUsage& row : rows_) {
      const auto& devices = holding.devices;
      const bool is_its = std::find(devices.begin(), devices.end(), row.device) != devices.end();
      if (is_its && row.state == DeviceState::held) hold(row, holding);
    }
  }

  [[nodiscard]] bool is_published(const std::string& name) const {
    if (pool_.source != PoolSource::dra) return false;
    const auto& devices = inventory_.dra.devices_on(pool_.node);
    return std::any_of(devices.begin(), devices.end(), [&](const DraDevice& device) {
      return device.id.device == name && belongs(device);
    });
  }

  [[nodiscard]] GpuUsage named(const Holding& holding, const std::string& device,
                               std::int64_t units) const {
    GpuUsage row = by_number(units, DeviceState::held);
    row.device = device;
    row.index = number_in(device);
    // A replica of a time-sliced card is GPU-4b3c...::3.
    const std::string_view uuid = std::string_view(device).substr(0, device.find("::"));
    if (uuid.starts_with("GPU-") || uuid.starts_with("MIG-")) row.uuid = uuid;
    hold(row, holding);
    for (const DeviceHolder& holder : row.pods)
      if (row.health == Health::unknown) row.health = health_of(*holder.pod, device);
    return row;
  }

  /// What the pool counts beyond the rows: free ones, unavailable ones, and what pods hold that
  /// were not read.
  void add_uncounted() {
    std::vector<DeviceState> states = {DeviceState::held, DeviceState::unknown};
    if (pool_.allocated) states = {DeviceState::held, DeviceState::free, DeviceState::unavailable};
    for (const DeviceState state : states)
      if (const std::int64_t rest = room_for(state); rest > 0) put(by_number(rest, state));
  }

  const Inventory& inventory_;
  const Pool& pool_;
  std::vector<const Holding*> holdings_;
  std::optional<std::int64_t> unit_memory_;
  std::vector<GpuUsage> rows_;
  std::array<std::int64_t, 4> counted_{};  ///< units of the rows, by state
};

}  // namespace

std::string_view name_of(DeviceState state) {
  switch (state) {
    case DeviceState::held:
      return "held";
    case DeviceState::free:
      return "free";
    case DeviceState::unavailable:
      return "unavailable";
    case DeviceState::unknown:
      return "";
  }
  return "";
}

std::string_view name_of(Health health) {
  switch (health) {
    case Health::unknown:
      return "";
    case Health::ok:
      return "ok";
    case Health::tainted:
      return "tainted";
    case Health::unhealthy:
      return "unhealthy";
  }
  return "";
}

std::vector<GpuUsage> gpu_usage(const Inventory& inventory) {
  std::vector<std::vector<const Holding*>> holdings(inventory.pools.size());
  for (const Holding& holding : inventory.holdings) holdings.at(holding.pool).push_back(&holding);
  std::vector<GpuUsage> all;
  const Node unseen;
  const auto end = inventory.snapshot.nodes.end();
  auto node = inventory.snapshot.nodes.begin();
  for (std::size_t i = 0; i < inventory.pools.size(); ++i) {
    // Pools follow their nodes; those of nodes that were not seen come last.
    while (node != end && node->name != inventory.pools[i].node) ++node;
    const Node& its = node == end ? unseen : *node;
    for (GpuUsage& row : PoolRows(inventory, its, i, std::move(holdings[i])).rows())
      all.push_back(std::move(row));
  }
  return all;
}

}  // namespace gpu::usage
