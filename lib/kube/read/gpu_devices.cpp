#include "kube/read/gpu_devices.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "model/holdings/pools.hpp"

namespace gpu::kube {
namespace {

bool advertises_none_of_its_gpus(const Node& node) {
  const std::vector<Pool> pools = pools_of(node, nullptr, Coverage::none);
  return std::any_of(pools.begin(), pools.end(),
                     [](const Pool& pool) { return pool.capacity == 0; });
}

}  // namespace

void add_slice(Snapshot& snapshot, ResourceSlice&& slice, DeviceObjects wanted) {
  if (is_gpu_driver(slice.driver))
    snapshot.slices.push_back(std::move(slice));
  else if (wanted == DeviceObjects::all)
    snapshot.scheduling.other_slices.push_back(std::move(slice));
}

bool concerns_gpus(const ResourceClaim& claim) {
  return !claim.is_allocated ||
         std::any_of(claim.devices.begin(), claim.devices.end(),
                     [](const AllocatedDevice& device) { return is_gpu_driver(device.id.driver); });
}

void add_claim(Snapshot& snapshot, ResourceClaim&& claim, DeviceObjects wanted) {
  if (wanted == DeviceObjects::all || concerns_gpus(claim))
    snapshot.claims.push_back(std::move(claim));
}

std::set<std::string, std::less<>> nodes_of_slices(const Snapshot& snapshot) {
  std::set<std::string, std::less<>> names;
  for (const ResourceSlice& slice : snapshot.slices) {
    if (!slice.node_name.empty()) names.insert(slice.node_name);
    for (const Device& device : slice.devices)
      if (!device.node_name.empty()) names.insert(device.node_name);
  }
  return names;
}

bool lacks_devices_of_labelled_nodes(const Snapshot& snapshot) {
  return std::any_of(snapshot.nodes.begin(), snapshot.nodes.end(), advertises_none_of_its_gpus);
}

}  // namespace gpu::kube
