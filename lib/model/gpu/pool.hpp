#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/gpu/gpu_labels.hpp"
#include "model/gpu/gpu_resource.hpp"

namespace gpu {

/// Why devices that nobody holds cannot be had now. In the words of why-pending's reason codes
/// where there is one.
enum class Unavailable {
  none,
  node_not_ready,
  cordoned,
  node_leaving,             ///< being deleted, or tainted for scale-down
  node_tainted,             ///< a lifecycle taint: disk pressure, network unavailable, initializing
  device_plugin_missing,    ///< labelled as a GPU node, but no GPU resource is registered
  device_plugin_unhealthy,  ///< registered, but no device is allocatable
  gpu_unhealthy,            ///< some devices are not allocatable, or not advertised at all
  too_many_pods,            ///< the node has no pod slot left
  managed_by_dra,           ///< a DRA driver hands them out: what is free is not known here
  device_tainted,           ///< a DRA device with a NoSchedule or NoExecute taint
  pool_incomplete,          ///< slices of the DRA pool are missing: the scheduler skips it
  card_in_use,              ///< what is left of the card is less than one unit: parts are held
};

/// "cordoned", "node-not-ready", ...; empty for none.
std::string_view code_of(Unavailable reason);

/// Who hands out the units of a pool.
enum class PoolSource { device_plugin, dra };

/// "device-plugin", "dra".
std::string_view name_of(PoolSource source);

/// One GPU resource of one node: the primary object of the inventory. Always
/// total == allocated + free + unavailable, where all three are known.
struct Pool {
  std::string node;
  /// "nvidia.com/gpu"; of DRA "gpu.nvidia.com" for cards, "gpu.nvidia.com/mig-1g.10gb" for slices.
  std::string resource;
  PoolSource source = PoolSource::device_plugin;
  GpuResource kind;
  std::string product;  ///< label text; empty when unknown
  std::string model;    ///< "H100-80G", "A100-1g.10gb"; empty when unknown
  std::string driver;
  Sharing sharing;
  std::optional<std::int64_t> cards;  ///< physical cards behind the units, where that is known
  /// Cards of these of which nobody holds anything, and that can be had now; where it is known.
  std::optional<std::int64_t> free_cards;
  /// The same cards stand in another pool of the node: under a second name (neuroncore), or handed
  /// out by a device plugin and by DRA. Never added to totals of cards.
  bool is_second_view = false;

  /// Units that the node should have, where something beside the device plugin tells.
  std::optional<std::int64_t> expected;
  std::string expected_by;  ///< what tells it, for people: "nvidia.com/gpu.count=8"
  std::int64_t capacity = 0;
  std::int64_t allocatable = 0;
  /// All units there are: capacity, or `expected` where that is more, or what pods hold when that
  /// is more still. Unknown for an unregistered node without a count.
  std::optional<std::int64_t> total;
  std::optional<std::int64_t> allocated;    ///< nothing: pods were not, or not all, seen
  std::optional<std::int64_t> at_least;     ///< allocated by the pods that were seen, if not all
  std::optional<std::int64_t> free;         ///< a pod could start there now
  std::optional<std::int64_t> unavailable;  ///< neither held nor free
  Unavailable reason = Unavailable::none;   ///< why the unavailable ones are
};

}  // namespace gpu
