#include "model/dra/dra_pool.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace gpu {
namespace {

using CounterSets = std::map<std::string_view, const ResourceList*, std::less<>>;

/// The first mistake in what a device consumes; empty when there is none.
std::string consumption_mistake(const Device& device, const CounterSets& sets) {
  for (const CounterUse& use : device.consumes) {
    const auto set = sets.find(use.set);
    if (set == sets.end()) return "counter set " + use.set + " is missing";
    for (const auto& [counter, amount] : use.counters)
      if (!set->second->contains(counter))
        return "counter " + counter + " is missing in counter set " + use.set;
  }
  return {};
}

std::string mistake_in(const std::vector<const ResourceSlice*>& slices) {
  std::set<std::string_view> names;
  CounterSets sets;
  for (const ResourceSlice* slice : slices) {
    for (const Device& device : slice->devices)
      if (!names.insert(device.name).second) return "device " + device.name + " stands twice";
    for (const CounterUse& set : slice->shared_counters)
      if (!sets.emplace(set.set, &set.counters).second)
        return "counter set " + set.set + " stands twice";
  }
  for (const ResourceSlice* slice : slices)
    for (const Device& device : slice->devices)
      if (std::string mistake = consumption_mistake(device, sets); !mistake.empty()) return mistake;
  return {};
}

std::string unusable(const std::vector<const ResourceSlice*>& slices) {
  const auto published = static_cast<std::int64_t>(slices.size());
  const std::int64_t promised = slices.front()->slice_count;
  if (published != promised)
    return std::to_string(published) + " of " + std::to_string(promised) + " slices are published";
  return mistake_in(slices);
}

void keep_highest_generation(std::vector<const ResourceSlice*>& slices) {
  std::int64_t highest = 0;
  for (const ResourceSlice* slice : slices) highest = std::max(highest, slice->generation);
  std::erase_if(slices, [&](const ResourceSlice* slice) { return slice->generation != highest; });
}

}  // namespace

std::vector<DraPool> dra_pools(const std::vector<ResourceSlice>& slices) {
  std::map<std::pair<std::string_view, std::string_view>, std::vector<const ResourceSlice*>> found;
  for (const ResourceSlice& slice : slices)
    if (is_gpu_driver(slice.driver)) found[{slice.driver, slice.pool}].push_back(&slice);
  std::vector<DraPool> pools;
  for (auto& [key, of_pool] : found) {
    keep_highest_generation(of_pool);
    std::sort(of_pool.begin(), of_pool.end(),
              [](const ResourceSlice* a, const ResourceSlice* b) { return a->name < b->name; });
    std::string why = unusable(of_pool);
    pools.push_back({.driver = key.first,
                     .name = key.second,
                     .slices = std::move(of_pool),
                     .unusable = std::move(why)});
  }
  return pools;
}

DraCounters::DraCounters(const DraPool& pool) {
  for (const ResourceSlice* slice : pool.slices)
    for (const CounterUse& set : slice->shared_counters) left_.emplace(set.set, set.counters);
}

bool DraCounters::suffice_for(const Device& device) const {
  if (device.consumes.empty()) return true;
  if (overdrawn_ > 0) return false;
  return std::all_of(device.consumes.begin(), device.consumes.end(), [&](const CounterUse& use) {
    const auto set = left_.find(use.set);
    if (set == left_.end()) return false;
    return std::all_of(use.counters.begin(), use.counters.end(), [&](const auto& counter) {
      return amount_of(set->second, counter.first) >= counter.second;
    });
  });
}

void DraCounters::take(const Device& device) { change(device, -1); }

void DraCounters::give_back(const Device& device) { change(device, 1); }

void DraCounters::change(const Device& device, int sign) {
  for (const CounterUse& use : device.consumes) {
    const auto set = left_.find(use.set);
    if (set == left_.end()) continue;
    for (const auto& [counter, amount] : use.counters) {
      if (!set->second.contains(counter)) continue;
      Quantity& left = set->second[counter];
      const bool was_overdrawn = left < Quantity{};
      sign > 0 ? left += amount : left -= amount;
      overdrawn_ += static_cast<int>(left < Quantity{}) - static_cast<int>(was_overdrawn);
    }
  }
}

}  // namespace gpu
