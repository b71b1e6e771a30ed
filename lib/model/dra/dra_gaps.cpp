#include "model/dra/dra_gaps.hpp"

#include <set>
#include <string>
#include <utility>

#include "base/phrase.hpp"

namespace gpu {
namespace {

constexpr std::size_t kMostNames = 5;

void add_unusable_pools(std::vector<Gap>& gaps, const std::vector<DraPool>& pools) {
  std::vector<std::string> found;
  for (const DraPool& pool : pools)
    if (!pool.unusable.empty())
      found.push_back(std::string(pool.driver) + "/" + std::string(pool.name) + ": " +
                      pool.unusable);
  if (found.empty()) return;
  gaps.push_back({.what = counted(found.size(), "DRA pool hands", "DRA pools hand") +
                          " out no devices: incomplete or invalid",
                  .why = few_and_rest(found, kMostNames),
                  .help = "see the log of the DRA driver's pod on the node"});
}

void add_devices_of_many_nodes(std::vector<Gap>& gaps, const std::vector<DraPool>& pools) {
  std::map<std::string_view, std::size_t> counts;
  for (const DraPool& pool : pools)
    for (const ResourceSlice* slice : pool.slices)
      for (const Device& device : slice->devices) {
        const bool is_on_one = !slice->is_on_many_nodes && !device.is_on_many_nodes &&
                               !(slice->node_name.empty() && device.node_name.empty());
        if (!is_on_one) ++counts[pool.driver];
      }
  for (const auto& [driver, count] : counts)
    gaps.push_back({.what = counted(count, "device of ", "devices of ") + std::string(driver) +
                            (count == 1 ? " belongs" : " belong") + " to no single node",
                    .why = "their ResourceSlices name nodes by a selector, or all nodes",
                    .help = "they are in no row: kubectl get resourceslices"});
}

/// Devices of pools that are known; of others nothing can be said.
void add_devices_gone(std::vector<Gap>& gaps, const std::vector<DraPool>& pools,
                      const DraHoldings& holdings) {
  std::set<std::pair<std::string_view, std::string_view>> known;
  std::set<DeviceId> published;
  for (const DraPool& pool : pools) {
    known.insert({pool.driver, pool.name});
    for (const ResourceSlice* slice : pool.slices)
      for (const Device& device : slice->devices)
        published.insert({std::string(pool.driver), std::string(pool.name), device.name});
  }
  std::vector<std::string> gone;
  for (const auto& [id, held] : holdings)
    if (known.contains({id.driver, id.pool}) && !published.contains(id))
      for (const ResourceClaim* claim : held.claims)
        gone.push_back("claim " + claim->ns + "/" + claim->name + " holds " + id.driver + "/" +
                       id.pool + "/" + id.device);
  if (gone.empty()) return;
  gaps.push_back({.what = counted(gone.size(), "claim holds a device that is",
                                  "claims hold devices that are") +
                          " published no more",
                  .why = few_and_rest(gone, kMostNames),
                  .help = "they are in no row; the driver replaced the pool while they were held"});
}

}  // namespace

std::vector<Gap> gaps_of(const std::vector<DraPool>& pools, const DraHoldings& holdings) {
  std::vector<Gap> gaps;
  add_unusable_pools(gaps, pools);
  add_devices_of_many_nodes(gaps, pools);
  add_devices_gone(gaps, pools, holdings);
  return gaps;
}

}  // namespace gpu
