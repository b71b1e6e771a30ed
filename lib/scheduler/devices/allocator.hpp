#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "scheduler/devices/constraint.hpp"
#include "scheduler/devices/supply.hpp"

namespace gpu::scheduler {

/// How the search for a pod's devices on a node ended.
struct Allocation {
  enum class Kind : std::uint8_t {
    found,
    none,         ///< "cannot allocate all claims"; with `text`, the scheduler's result may differ
    bad_pools,    ///< none, and a pool contradicts itself
    error,        ///< the cycle ends with `text`
    not_checked,  ///< `text` says what was not understood
  };
  Kind kind = Kind::none;
  std::string text;
};

/// A place in the pools of a node.
struct DevicePlace {
  std::size_t pool = 0;
  std::size_t slice = 0;
  std::size_t device = 0;
};

/// Searches devices for all claims of a pod on one node: the first set that fits, in the order in
/// which the scheduler tries them. Source: k8s.io/dynamic-resource-allocation/structured 1.36, with
/// two of its properties: a device that a taint or a constraint excludes still uses up its
/// counters, and of two devices of a request only the last one counts for distinctAttribute. Keeps
/// references to its arguments.
class DeviceAllocator {
 public:
  DeviceAllocator(const Cluster& cluster, const DeviceSupply& supply, std::size_t node,
                  const std::vector<const ResourceClaim*>& claims);

  Allocation allocate();
  /// Whether class and request select a device; nothing for an error or an unsupported expression,
  /// see failure().
  std::optional<bool> selects(const ResourceClaim& claim, const DeviceRequest& request,
                              const DevicePlace& place);
  /// Once allocate() has found them: the devices, each with the places in `claims` of those that
  /// got it.
  [[nodiscard]] const std::map<DeviceId, std::multiset<std::size_t>>& chosen() const {
    return chosen_;
  }
  /// Whether some of them are shared with other claims, by amounts.
  [[nodiscard]] bool shares_devices() const { return !chosen_shares_.empty(); }
  /// Why the last selects() returned nothing.
  [[nodiscard]] const Allocation& failure() const { return failure_; }

 private:
  /// A request or an alternative of one, and how many devices it takes.
  struct Wanted {
    const DeviceRequest* request = nullptr;
    RequestName name;
    std::size_t count = 0;
    std::vector<DevicePlace> all;  ///< of allocationMode All
  };
  struct Claim {
    const ResourceClaim* claim = nullptr;
    std::vector<std::vector<Wanted>> requests;  ///< each with its alternatives
    std::vector<ConstraintState> constraints;
    std::size_t devices = 0;  ///< chosen so far
  };
  struct Position {
    std::size_t claim = 0;
    std::size_t request = 0;
    std::size_t alternative = 0;
    std::size_t device = 0;
  };
  enum class Step : std::uint8_t { done, failed, too_many, stopped };

  bool prepare(const ResourceClaim& claim);
  bool prepare(Claim& claim, Wanted wanted, std::vector<Wanted>& into);
  bool find_all(const ResourceClaim& claim, Wanted& wanted);
  Step next(const Position& at);
  Step any_alternative(Position at);
  Step devices(const Position& at, const DevicePlace& start);
  Step all_devices(const Position& at);
  Step one_of(const Position& at, const DevicePlace& start);
  Step try_device(const Position& at, const DevicePlace& place);
  /// What is left to do when the device at `place` is chosen, or cannot be.
  Step with_device(const Position& at, const DevicePlace& place, const DevicePlace& start);
  Step choose(const Position& at, const DevicePlace& place);
  void drop(const Position& at, const DevicePlace& place);

  [[nodiscard]] const Wanted& wanted(const Position& at) const;
  [[nodiscard]] const ResourceSlice& slice(const DevicePlace& place) const;
  [[nodiscard]] const Device& device(const DevicePlace& place) const;
  [[nodiscard]] DeviceId id(const DevicePlace& place) const;
  [[nodiscard]] bool is_shared(const DevicePlace& place) const;
  [[nodiscard]] bool is_blocked(const Position& at, const DevicePlace& place) const;
  [[nodiscard]] Step capacity(const DeviceRequest& request, const DevicePlace& place);
  bool take_counters(const DevicePlace& place);
  [[nodiscard]] bool may_time_out() const;
  bool may_step();
  Step give_up();
  Step stop(Allocation::Kind kind, std::string text);
  std::optional<bool> selected_by(const std::vector<std::string>& selectors,
                                  const DevicePlace& place, const std::string& whose);

  const DeviceSupply& supply_;
  const Cluster& cluster_;
  const Node& node_;
  const std::vector<NodePool>& pools_;
  const bool has_new_features_;
  std::int64_t most_steps_;
  std::int64_t plain_steps_ = 0;
  std::int64_t effort_of_step_;
  std::vector<Claim> claims_;
  std::map<std::size_t, DraCounters> counters_;  ///< of pools from which something was chosen
  std::map<DeviceId, std::multiset<std::size_t>> chosen_;  ///< by which claims
  std::map<DeviceId, ResourceList> chosen_shares_;
  std::map<std::tuple<const DeviceRequest*, const Device*>, bool> selections_;
  Allocation failure_;
  std::int64_t steps_ = 0;
};

}  // namespace gpu::scheduler
