#include "scheduler/devices/shortage.hpp"

#include <fmt/format.h>

#include <deque>

#include "base/text.hpp"

#include "scheduler/devices/allocator.hpp"
#include "scheduler/devices/taint.hpp"

namespace gpu::scheduler {
namespace {

/// Whether somebody has the device, or the counters that it would take.
bool is_in_use(const DeviceSupply& supply, const NodePool& pool, const Device& device) {
  if (supply.is_taken({std::string(pool.driver), std::string(pool.name), device.name})) return true;
  return pool.counters != nullptr && !pool.counters->suffice_for(device);
}

void count(RequestShortage& shortage, const DeviceSupply& supply, const NodePool& pool,
           const Device& device, const DeviceRequest& request) {
  ++shortage.matching;
  if (!pool.can_be_used)
    ++shortage.incomplete;
  else if (!request.admin_access && is_in_use(supply, pool, device))
    ++shortage.in_use;
  else if (taint_blocks(device, request))
    ++shortage.tainted;
}

class Counting {
 public:
  Counting(const Cluster& cluster, const DeviceSupply& supply, std::size_t node,
           const std::vector<const ResourceClaim*>& claims)
      : supply_(supply),
        pools_(supply_.pools_of(node)),
        allocator_(cluster, supply, node, claims) {}

  RequestShortage shortage_of(const ResourceClaim& claim, const DeviceRequest& request,
                              std::string name) {
    RequestShortage shortage{.claim = claim.name,
                             .request = std::move(name),
                             .device_class = request.device_class,
                             .wanted = request.wants_all ? 0 : request.count,
                             .selectors = request.selectors};
    // The allocator knows requests by their addresses.
    DeviceRequest& of_class = of_classes_.emplace_back(request);
    of_class.selectors.clear();
    for (std::size_t pool = 0; pool < pools_.size(); ++pool)
      for (std::size_t slice = 0; slice < pools_[pool].slices.size(); ++slice) {
        const std::vector<Device>& devices = pools_[pool].slices[slice]->devices;
        for (std::size_t i = 0; i < devices.size(); ++i) {
          if (!allocator_.selects(claim, of_class, {pool, slice, i}).value_or(false)) continue;
          ++shortage.of_class;
          if (allocator_.selects(claim, request, {pool, slice, i}).value_or(false))
            count(shortage, supply_, pools_[pool], devices[i], request);
        }
      }
    return shortage;
  }

 private:
  const DeviceSupply& supply_;
  const std::vector<NodePool>& pools_;
  DeviceAllocator allocator_;
  std::deque<DeviceRequest> of_classes_;  ///< requests without their own selectors
};

}  // namespace

std::vector<RequestShortage> request_shortages(const Cluster& cluster, const DeviceSupply& supply,
                                               std::size_t node,
                                               const std::vector<const ResourceClaim*>& claims) {
  DeviceAllocator allocator(cluster, supply, node, claims);
  if (allocator.allocate().kind == Allocation::Kind::found) return {};
  std::vector<RequestShortage> shortages;
  Counting counting(cluster, supply, node, claims);
  for (const ResourceClaim* claim : claims)
    for (const DeviceRequest& request : claim->requests) {
      for (const DeviceRequest& each : request.alternatives)
        shortages.push_back(counting.shortage_of(*claim, each, request.name + "/" + each.name));
      if (request.alternatives.empty())
        shortages.push_back(counting.shortage_of(*claim, request, request.name));
    }
  return shortages;
}

std::string text_of(const RequestShortage& shortage) {
  if (shortage.matching == 0 && shortage.of_class > 0 && !shortage.selectors.empty()) {
    constexpr std::size_t kMost = 160;
    return fmt::format(
        "none of its {} of that class matches the request's {}: {}",
        shortage.of_class == 1 ? "1 device" : fmt::format("{} devices", shortage.of_class),
        shortage.selectors.size() == 1 ? "selector" : "selectors, the first of which is",
        shorten_middle(shortage.selectors.front(), kMost, "..."));
  }
  std::string text = fmt::format("{} match, {} in use", shortage.matching, shortage.in_use);
  if (shortage.tainted > 0) text += fmt::format(", {} tainted", shortage.tainted);
  if (shortage.incomplete > 0)
    text += fmt::format(", {} in pools that lack slices", shortage.incomplete);
  return text;
}

}  // namespace gpu::scheduler
