#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/quantity.hpp"
#include "base/split.hpp"
#include "usage/devices/card_keys.hpp"
#include "usage/rows/pool_devices.hpp"

namespace gpu::usage {
namespace {

/// "MIG-GPU-4b3c.../7/0": the form that tells the card and the GPU instance.
bool is_old_mig_name(std::string_view name, const Sample& sample) {
  constexpr std::string_view kPrefix = "MIG-GPU-";
  if (!name.starts_with(kPrefix)) return false;
  name.remove_prefix(kPrefix.size() - std::string_view("GPU-").size());
  const std::size_t card_end = name.find('/');
  if (card_end == std::string_view::npos) return false;
  const std::string_view instance = name.substr(card_end + 1);
  return same_uuid(name.substr(0, card_end), sample.uuid) &&
         instance.substr(0, instance.find('/')) == sample.mig_instance;
}

/// GKE's "nvidia0", "nvidia0/gi3", each with "/vgpu1" where it is shared.
struct DeviceFile {
  std::optional<std::int64_t> minor;
  std::string_view instance;
};

std::optional<DeviceFile> device_file(std::string_view name) {
  constexpr std::string_view kCard = "nvidia";
  constexpr std::string_view kInstance = "gi";
  constexpr std::string_view kShare = "vgpu";
  if (!name.starts_with(kCard)) return std::nullopt;
  const std::vector<std::string_view> parts = split(name.substr(kCard.size()), '/');
  DeviceFile file{.minor = whole_number(parts.front())};
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const bool is_instance = i == 1 && parts[i].starts_with(kInstance);
    if (is_instance) file.instance = parts[i].substr(kInstance.size());
    const bool is_last_share = i + 1 == parts.size() && parts[i].starts_with(kShare);
    if (!is_instance && !is_last_share) return std::nullopt;
  }
  return file.minor ? std::optional(file) : std::nullopt;
}

/// Whether `name`, of a plugin's or a scheduler's, is this device.
bool is_named(const DeviceUse& live, std::string_view name, const Pool& pool) {
  const Sample& sample = live.sample;
  if (pool.sharing.strategy == SharingStrategy::gpushare)
    return sample.index && whole_number(name) == sample.index;
  name = name.substr(0, name.find("::"));
  if (const auto file = device_file(name))
    return sample.minor == file->minor && sample.mig_instance == file->instance;
  if (!sample.mig_instance.empty()) return is_old_mig_name(name, sample);
  if (!sample.uuid.empty() && same_uuid(sample.uuid, name)) return true;
  return !sample.pci_bus_id.empty() && pci_key(sample.pci_bus_id) == pci_key(std::string(name));
}

/// Works on the devices of one pool of a device plugin.
class Attribution {
 public:
  Attribution(PoolDevices& devices, const Pool& pool, const std::vector<const Holding*>& holdings)
      : devices_(devices), pool_(pool), holdings_(holdings) {}

  void run() {
    for (const Holding* holding : holdings_) take_named(*holding);
    take_exporters();
    // More than there is: something is told of a device that is not the pool's.
    if (devices_.is_certain && pool_.total && visible_rest() > rest()) devices_.is_certain = false;
    if (devices_.is_certain) take_last_device();
    if (devices_.is_certain) take_all_that_is_left();
    // The kubelet's names of who holds what are worth more than rows that nobody is known of.
    const auto has_ids = [](const LooseUnits& loose) { return !loose.ids.empty(); };
    if (is_undecided(devices_) &&
        std::any_of(devices_.loose.begin(), devices_.loose.end(), has_ids))
      drop_rests();
    if (devices_.is_certain) return;
    std::erase_if(devices_.devices, [](const PoolDevice& one) { return one.holds.empty(); });
    drop_rests();
  }

 private:
  void take_named(const Holding& holding) {
    const std::vector<std::int64_t> units = units_by_device(pool_, holding);
    LooseUnits loose{.holding = &holding, .units = holding.units};
    for (std::size_t i = 0; i < units.size(); ++i) {
      if (is_nameless_mig(holding.devices[i], pool_)) {
        loose.ids.push_back(holding.devices[i]);
        continue;
      }
      loose.units -= units[i];
      if (PoolDevice* device = only_named(holding.devices[i]))
        hold(*device, {&holding, units[i], holding.devices[i], holding.evidence});
      else
        unseen_ = capped_sum(unseen_, units[i]);
    }
    if (loose.units > 0) devices_.loose.push_back(std::move(loose));
  }

  /// Null, too, where several answer to the name.
  [[nodiscard]] PoolDevice* only_named(std::string_view name) const {
    PoolDevice* only = nullptr;
    for (PoolDevice& device : devices_.devices) {
      if (!is_named(*device.live, name, pool_)) continue;
      if (only != nullptr) return nullptr;
      only = &device;
    }
    return only;
  }

  static void hold(PoolDevice& device, DeviceHold hold) {
    device.rest = std::max<std::int64_t>(0, device.rest - hold.units);
    device.holds.push_back(std::move(hold));
  }

  /// Units of a device that its exporter says pods have: by pod, each replica once.
  static std::map<const Pod*, std::int64_t> told_units(const DeviceUse& live) {
    std::map<const Pod*, std::set<std::string_view>> shares;
    for (const DeviceUser& user : live.users) shares[user.pod].insert(user.share);
    std::map<const Pod*, std::int64_t> units;
    for (const auto& [pod, names] : shares) units[pod] = static_cast<std::int64_t>(names.size());
    return units;
  }

  [[nodiscard]] LooseUnits* loose_of(const Pod* pod) const {
    for (LooseUnits& loose : devices_.loose) {
      const auto& pods = loose.holding->pods;
      if (std::find(pods.begin(), pods.end(), pod) != pods.end()) return &loose;
    }
    return nullptr;
  }

  struct Told {
    PoolDevice* device = nullptr;
    std::int64_t units = 0;
  };

  /// What exporters say is believed only as far as the pod holds that many, and the device has.
  void take_exporters() {
    std::map<LooseUnits*, std::vector<Told>> told;
    for (PoolDevice& device : devices_.devices) {
      std::map<LooseUnits*, std::int64_t> of_device;
      std::int64_t sum = 0;
      for (const auto& [pod, units] : told_units(*device.live))
        if (LooseUnits* loose = loose_of(pod)) {
          of_device[loose] += units;
          sum += units;
        }
      if (sum > device.rest) continue;
      for (const auto& [loose, units] : of_device) told[loose].push_back({&device, units});
    }
    for (LooseUnits& loose : devices_.loose) {
      std::int64_t sum = 0;
      for (const Told& one : told[&loose]) sum += one.units;
      if (sum > loose.units) continue;
      const bool is_only = sum == 1 && loose.units == 1 && loose.ids.size() == 1;
      for (const Told& one : told[&loose])
        hold(*one.device, {loose.holding, one.units, is_only ? loose.ids.front() : "",
                           is_only ? loose.holding->evidence : Evidence::exporter});
      loose.units -= sum;
    }
    drop_settled();
  }

  void drop_settled() {
    std::erase_if(devices_.loose, [](const LooseUnits& loose) { return loose.units <= 0; });
  }

  [[nodiscard]] std::int64_t visible_rest() const {
    std::int64_t sum = 0;
    for (const PoolDevice& device : devices_.devices) sum = capped_sum(sum, device.rest);
    return sum;
  }

  /// Units of the pool on no device that is known to be held.
  [[nodiscard]] std::int64_t rest() const {
    std::int64_t rest = pool_.total.value_or(0) - unseen_;
    for (const PoolDevice& device : devices_.devices)
      for (const DeviceHold& hold : device.holds) rest -= hold.units;
    return rest;
  }

  /// Where all units without a holder stand on one device, so do those of each holder.
  void take_last_device() {
    PoolDevice* last = nullptr;
    for (PoolDevice& device : devices_.devices) {
      if (device.rest == 0) continue;
      if (last != nullptr) return;
      last = &device;
    }
    if (last == nullptr || !pool_.total || last->rest != rest()) return;
    std::int64_t sum = 0;
    for (const LooseUnits& loose : devices_.loose) sum = capped_sum(sum, loose.units);
    if (sum > last->rest) return;
    for (LooseUnits& loose : devices_.loose) {
      const bool is_one = loose.units == 1 && loose.ids.size() == 1;
      hold(*last, {loose.holding, loose.units, is_one ? loose.ids.front() : "",
                   is_one ? loose.holding->evidence : Evidence::request});
    }
    devices_.loose.clear();
  }

  /// What no holder is known of is all of one kind, or undecided.
  void take_all_that_is_left() {
    if (!pool_.total || !pool_.allocated || !pool_.free || !pool_.unavailable) return;
    std::int64_t of_unseen_pods = *pool_.allocated;
    for (const Holding* holding : holdings_) of_unseen_pods -= holding->units;
    const bool has_held = !devices_.loose.empty() || of_unseen_pods > 0;
    const bool has_free = *pool_.free > 0;
    const bool has_unavailable = *pool_.unavailable > 0;
    if (has_held && !has_free && !has_unavailable && of_unseen_pods <= 0)
      return give_to_only_holder();
    if (has_held) return;
    if (has_free && has_unavailable) return;
    devices_.rest_state = has_free ? DeviceState::free : DeviceState::unavailable;
  }

  void give_to_only_holder() {
    if (devices_.loose.size() != 1) return;
    LooseUnits& only = devices_.loose.front();
    const bool is_one = visible_rest() == 1 && only.units == 1 && only.ids.size() == 1;
    for (PoolDevice& device : devices_.devices) {
      if (device.rest == 0) continue;
      only.units -= device.rest;
      hold(device, {only.holding, device.rest, is_one ? only.ids.front() : "",
                    is_one ? only.holding->evidence : Evidence::request});
    }
    devices_.rest_state = DeviceState::held;
    drop_settled();
  }

  /// Nobody can say whether they are the pool's.
  void drop_rests() {
    for (PoolDevice& device : devices_.devices) device.rest = 0;
  }

  PoolDevices& devices_;
  const Pool& pool_;
  const std::vector<const Holding*>& holdings_;
  std::int64_t unseen_ = 0;  ///< units on devices that have a name, and no telemetry
};

/// Claims name DRA's devices; there is nothing to find out.
void attribute_published(PoolDevices& devices, const Pool& pool,
                         const std::vector<const Holding*>& holdings) {
  for (PoolDevice& device : devices.devices)
    for (const Holding* holding : holdings) {
      const std::vector<std::int64_t> units = units_by_device(pool, *holding);
      for (std::size_t i = 0; i < units.size(); ++i)
        if (holding->devices[i] == device.published->id.device)
          device.holds.push_back({holding, units[i], holding->devices[i], holding->evidence});
    }
}

}  // namespace

void attribute(PoolDevices& devices, const Pool& pool,
               const std::vector<const Holding*>& holdings) {
  if (pool.source == PoolSource::dra) return attribute_published(devices, pool, holdings);
  Attribution(devices, pool, holdings).run();
}

}  // namespace gpu::usage
