#include "model/dra.hpp"

namespace gpu {

DraInventory::DraInventory(const Snapshot& snapshot) : snapshot_(snapshot) {
  for (const ResourceSlice& slice : snapshot.slices)
    if (!slice.node_name.empty()) devices_[slice.node_name];
}

const std::vector<DraDevice>& DraInventory::devices_on(std::string_view node) const {
  static const std::vector<DraDevice> kNone;
  const auto found = devices_.find(node);
  return found == devices_.end() ? kNone : found->second;
}

void DraInventory::join(const Node& node, std::vector<Pool>& pools) const {
  if (!devices_.contains(node.name)) return;
  for (Pool& pool : pools) {
    if (pool.reason != Unavailable::device_plugin_missing) continue;
    pool.reason = Unavailable::managed_by_dra;
    pool.allocated.reset();
    pool.free.reset();
    pool.unavailable.reset();
  }
}

std::vector<Gap> DraInventory::gaps() const { return {}; }

}  // namespace gpu
