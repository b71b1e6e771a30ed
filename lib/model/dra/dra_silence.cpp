#include "model/dra/dra_silence.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gpu {
namespace {

/// The names of the drivers that are known, which are those of their resources, too.
constexpr std::array<std::pair<Vendor, std::string_view>, 6> kDrivers = {
    {{Vendor::nvidia, "gpu.nvidia.com"},
     {Vendor::amd, "gpu.amd.com"},
     {Vendor::intel, "gpu.intel.com"},
     {Vendor::habana, "gaudi.intel.com"},
     {Vendor::google, "tpu.google.com"},
     {Vendor::aws, "neuron.aws.com"}}};

/// Nothing for makers that are not known.
std::optional<std::string_view> driver_of(Vendor vendor) {
  for (const auto& [maker, driver] : kDrivers)
    if (maker == vendor) return driver;
  return std::nullopt;
}

bool is_of_driver(const DeviceClass& device_class, std::string_view driver) {
  return device_class.name == driver ||
         std::any_of(device_class.selectors.begin(), device_class.selectors.end(),
                     [&](const std::string& cel) { return cel.find(driver) != std::string::npos; });
}

/// Labels by which clusters keep the device plugin off a node, and bring the DRA driver there.
bool is_labelled_for_dra(const Node& node) {
  return value_of(node.labels, "gke-no-default-nvidia-gpu-device-plugin") == "true" ||
         value_of(node.labels, "nvidia.com/dra-kubelet-plugin") == "true";
}

/// Devices of the node that claims hold. Drivers name a node's pool after the node.
std::int64_t held_on(const Node& node, std::string_view driver, const DraHoldings& holdings) {
  return std::count_if(holdings.begin(), holdings.end(), [&](const auto& each) {
    return each.first.driver == driver && each.first.pool == node.name;
  });
}

/// It keeps its name and source: metrics of the node's cards are found by them.
void give_to_dra(std::int64_t held, Coverage claim_coverage, Pool& pool) {
  if (pool.total) pool.total = std::max(*pool.total, held);
  pool.allocated.reset();
  pool.unavailable.reset();
  if (pool.reason == Unavailable::device_plugin_missing) pool.reason = Unavailable::pool_incomplete;
  if (claim_coverage != Coverage::whole) return;
  pool.allocated = held;
  if (pool.total) pool.unavailable = *pool.total - held;
}

}  // namespace

std::set<Vendor> makers_by_dra(const Snapshot& snapshot) {
  std::set<Vendor> makers;
  for (const auto& [maker, driver] : kDrivers)
    for (const DeviceClass& each : snapshot.device_classes)
      if (is_of_driver(each, driver)) makers.insert(maker);
  if (makers.empty()) return makers;
  for (const Node& node : snapshot.nodes)
    for (const auto& [name, amount] : node.allocatable)
      if (const auto gpu = gpu_resource(name); gpu && amount > Quantity{})
        makers.erase(gpu->vendor);
  return makers;
}

void leave_to_silent_driver(const Node& node, const std::set<Vendor>& makers,
                            const DraHoldings& holdings, Coverage claim_coverage,
                            std::vector<Pool>& pools) {
  for (Pool& pool : pools) {
    const auto driver = driver_of(pool.kind.vendor);
    const bool is_promise =
        pool.capacity == 0 && pool.allocatable == 0 && pool.allocated.value_or(0) == 0;
    if (!driver || !is_promise || pool.source != PoolSource::device_plugin) continue;
    const std::int64_t held = held_on(node, *driver, holdings);
    if (makers.contains(pool.kind.vendor) || held > 0 || is_labelled_for_dra(node))
      give_to_dra(held, claim_coverage, pool);
  }
}

}  // namespace gpu
