#include "usage/rows/gpu_usage.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/ascii.hpp"
#include "base/quantity.hpp"
#include "usage/devices/holding_time.hpp"
#include "usage/devices/use_sum.hpp"
#include "usage/rows/pool_devices.hpp"
#include "usage/rows/unit.hpp"

namespace gpu::usage {
namespace {

std::optional<std::int64_t> number_in(std::string_view text) {
  const std::optional<std::int64_t> number = whole_number(text);
  return number && *number >= 0 ? number : std::nullopt;
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

/// By card and part; what of it nobody holds comes last.
auto key_of(const GpuUsage& row) {
  const bool is_named = !row.device.empty() || !row.uuid.empty() || row.index;
  return std::tuple(!is_named, !row.index, row.index, whole_number(row.mig_instance).value_or(-1),
                    row.device.empty() && row.state != DeviceState::held,
                    std::string_view(row.device), std::string_view(row.uuid));
}

/// Collects the rows of one pool, and counts what they stand for.
class PoolRows {
 public:
  PoolRows(const Pool& pool, const PoolDevices& devices, std::vector<const Holding*> holdings)
      : pool_(pool), devices_(devices), holdings_(std::move(holdings)) {
    // Of a share nobody knows.
    const bool is_whole = unit_of(pool_) == Unit::gpu || unit_of(pool_) == Unit::mig;
    if (is_whole) unit_memory_ = devices_.device_memory;
  }

  std::vector<GpuUsage> rows() {
    for (const PoolDevice& device : devices_.devices)
      device.published == nullptr ? add_device(device) : add_published(device);
    for (const Holding* holding : holdings_) add_named(*holding);
    if (!is_undecided(devices_)) add_loose();
    const auto by_name = [](const GpuUsage& a, const GpuUsage& b) { return key_of(a) < key_of(b); };
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
    for (const Pod* pod : holding.pods) {
      row.pods.push_back({pod, container_of(*pod, pool_.resource, row.device)});
      if (row.health == Health::unknown) row.health = health_of(*pod, row.device);
    }
  }

  /// Rows of a device by name and telemetry: one for each holder, and one for what is left.
  void add_device(const PoolDevice& device) {
    std::vector<DeviceHold> holds = device.holds;
    std::stable_sort(holds.begin(), holds.end(),
                     [](const DeviceHold& a, const DeviceHold& b) { return a.id < b.id; });
    std::vector<GpuUsage> rows;
    for (const DeviceHold& one : holds) {
      GpuUsage row = row_of(device, one.units);
      if (!one.id.empty()) row.device = one.id;
      hold(row, *one.holding);
      row.evidence = one.evidence;
      name_containers(row, *device.live);
      if (one.holding->pods.size() == 1)
        row.use = own_use(*device.live, *one.holding->pods.front());
      rows.push_back(std::move(row));
    }
    if (device.rest > 0) {
      rows.push_back(row_of(device, device.rest));
      rows.back().state = devices_.rest_state;
      if (devices_.rest_state == DeviceState::unavailable) rows.back().reason = pool_.reason;
    }
    if (rows.empty()) return;
    tell_use(rows.front(), device);
    rows.front().use.is_of_before = is_of_before(*device.live, holders_of(device));
    rows.front().is_of_whole_device = has_other_holders(device);
    for (GpuUsage& row : rows) put(std::move(row));
  }

  static std::vector<const Pod*> holders_of(const PoolDevice& device) {
    std::vector<const Pod*> pods;
    for (const DeviceHold& one : device.holds)
      pods.insert(pods.end(), one.holding->pods.begin(), one.holding->pods.end());
    return pods;
  }

  [[nodiscard]] bool has_other_holders(const PoolDevice& device) const {
    const bool may_have_more = device.rest > 0 && devices_.rest_state == DeviceState::unknown;
    if (device.holds.empty()) return false;
    return may_have_more ||
           std::any_of(device.holds.begin(), device.holds.end(), [&](const DeviceHold& one) {
             return one.holding != device.holds.front().holding;
           });
  }

  [[nodiscard]] GpuUsage row_of(const PoolDevice& device, std::int64_t units) const {
    const Sample& sample = device.live->sample;
    GpuUsage row{.pool = &pool_, .index = sample.index, .uuid = sample.uuid, .units = units};
    row.mig_instance = sample.mig_instance;
    if (!sample.partition.empty())
      row.device = (row.index ? std::to_string(*row.index) + ":" : "") + sample.partition;
    if (unit_memory_ || pool_.sharing.strategy == SharingStrategy::none)
      row.memory_bytes = device.memory_bytes;
    return row;
  }

  /// An exporter may tell which of several containers it is.
  static void name_containers(GpuUsage& row, const DeviceUse& live) {
    for (DeviceHolder& holder : row.pods)
      for (const DeviceUser& user : live.users)
        if (holder.container.empty() && user.pod == holder.pod) holder.container = user.container;
  }

  /// Use of the whole device, in its first row.
  void tell_use(GpuUsage& row, const PoolDevice& device) const {
    if (device.live == nullptr) return;
    row.use = use_of(*device.live);
    row.use.memory_total_bytes = device.memory_bytes;
    row.measures = device.live->sample.measures;
    row.is_unmanaged = row.pods.empty() && row.state != DeviceState::unavailable &&
                       is_unrequested(devices_, device);
  }

  /// A device that DRA publishes stands in a row whether or not it is held.
  void add_published(const PoolDevice& device) {
    bool is_first = true;
    const auto put_next = [&](GpuUsage row) {
      if (std::exchange(is_first, false)) {
        tell_use(row, device);
        if (device.live != nullptr)
          row.use.is_of_before = is_of_before(*device.live, holders_of(device));
        row.is_of_whole_device = device.holds.size() > 1;
      } else if (device.live != nullptr && row.pods.size() == 1) {
        row.use = own_use(*device.live, *row.pods.front().pod);
      }
      put(std::move(row));
    };
    for (const DeviceHold& one : device.holds) {
      GpuUsage row = row_of_published(device);
      row.units = one.units;
      hold(row, *one.holding);
      put_next(std::move(row));
    }
    const DraDevice& published = *device.published;
    if (!device.holds.empty() || !published.claims.empty()) return;
    // How many shares are left is counted for the pool, not for each of its devices.
    if (has_amounts(pool_)) return;
    GpuUsage row = row_of_published(device);
    row.state = published.is_free ? DeviceState::free : DeviceState::unavailable;
    row.reason = published.reason;
    if (!pool_.allocated) row.state = DeviceState::unknown;
    // A card may have other faces, which are not counted again.
    if (room_for(row.state) > 0) put_next(std::move(row));
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

  [[nodiscard]] GpuUsage row_of_published(const PoolDevice& device) const {
    const DraDevice& published = *device.published;
    GpuUsage row{.pool = &pool_, .uuid = published.uuid, .device = published.id.device};
    const bool is_card = published.kind.kind == DeviceKind::card;
    const StringMap& attributes = published.device->attributes;
    row.index = number_in(value_of(attributes, is_card ? "index" : "parentIndex"));
    if (published.reason == Unavailable::device_tainted) row.health = Health::tainted;
    const bool is_told = published.device->capacity.contains("memory") || device.live != nullptr;
    if (is_told && !has_amounts(pool_)) row.memory_bytes = device.memory_bytes;
    if (device.live == nullptr) return row;
    const Sample& sample = device.live->sample;
    if (!row.index) row.index = sample.index;
    if (row.uuid.empty()) row.uuid = sample.uuid;
    row.mig_instance = sample.mig_instance;
    return row;
  }

  /// Devices that only the holder names.
  void add_named(const Holding& holding) {
    if (holding.units == 0) return join_holder(holding);
    const std::vector<std::int64_t> units = units_by_device(pool_, holding);
    for (std::size_t i = 0; i < units.size(); ++i)
      if (!is_shown(holding, holding.devices[i])) put(named(holding, holding.devices[i], units[i]));
  }

  /// Whether the device has its row, or waits among the loose ones.
  [[nodiscard]] bool is_shown(const Holding& holding, const std::string& name) const {
    for (const PoolDevice& device : devices_.devices)
      for (const DeviceHold& one : device.holds)
        if (one.holding == &holding && one.id == name) return true;
    return is_nameless_mig(name, pool_);
  }

  /// Units whose device nobody knows; of MIG instances still their names.
  void add_loose() {
    for (const LooseUnits& loose : devices_.loose) {
      std::int64_t rest = loose.units;
      // With some of them found, nobody knows which these are.
      const bool are_all = units_found_of(*loose.holding) == 0;
      for (const std::string& id : loose.ids) {
        if (!are_all) break;
        put(named(*loose.holding, id, 1));
        --rest;
      }
      if (rest <= 0) continue;
      GpuUsage row = by_number(rest, DeviceState::held);
      hold(row, *loose.holding);
      put(std::move(row));
    }
  }

  [[nodiscard]] std::int64_t units_found_of(const Holding& holding) const {
    std::int64_t units = 0;
    for (const PoolDevice& device : devices_.devices)
      for (const DeviceHold& one : device.holds)
        if (one.holding == &holding) units = capped_sum(units, one.units);
    return units;
  }

  /// A claim beside the one that is counted: by mistake, or because that is not used up.
  void join_holder(const Holding& holding) {
    for (GpuUsage& row : rows_) {
      const auto& devices = holding.devices;
      const bool is_its = std::find(devices.begin(), devices.end(), row.device) != devices.end();
      if (is_its && row.state == DeviceState::held) hold(row, holding);
    }
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
    return row;
  }

  /// What the pool counts beyond the rows: free ones, unavailable ones, and what pods hold that
  /// were not read.
  void add_uncounted() {
    std::vector<DeviceState> states = {DeviceState::held, DeviceState::unknown};
    if (pool_.allocated) states = {DeviceState::held, DeviceState::free, DeviceState::unavailable};
    if (is_undecided(devices_)) states = {DeviceState::unknown};
    for (const DeviceState state : states)
      if (const std::int64_t rest = room_for(state); rest > 0) put(by_number(rest, state));
  }

  const Pool& pool_;
  const PoolDevices& devices_;
  std::vector<const Holding*> holdings_;
  std::optional<std::int64_t> unit_memory_;
  std::vector<GpuUsage> rows_;
  std::array<std::int64_t, 4> counted_{};  ///< units of the rows, by state
};

}  // namespace

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
  for (std::size_t i = 0; i < inventory.pools.size(); ++i) {
    PoolRows rows(inventory.pools[i], inventory.devices[i], std::move(holdings[i]));
    for (GpuUsage& row : rows.rows()) all.push_back(std::move(row));
  }
  return all;
}

}  // namespace gpu::usage
