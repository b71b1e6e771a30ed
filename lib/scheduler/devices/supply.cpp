#include "scheduler/devices/supply.hpp"
#include "scheduler/cluster/rules.hpp"

#include <algorithm>
#include <utility>

namespace gpu::scheduler {
namespace {

constexpr int kNewFeaturesSince = 36;
constexpr std::string_view kImplicitResource = "deviceclass.resource.kubernetes.io/";

bool is_reached(const Node& node, const ResourceSlice& slice) {
  if (!slice.shared_counters.empty()) return true;  // the pool's counters, wherever it is
  if (!slice.selects_per_device)
    return reaches(node, slice.node_name, slice.is_on_all_nodes, slice.node_selector);
  return std::any_of(slice.devices.begin(), slice.devices.end(), [&](const Device& device) {
    return reaches(node, device.node_name, device.is_on_all_nodes, device.node_selector);
  });
}

/// Keeps the slices of the highest generation.
void add_newest(std::vector<const ResourceSlice*>& slices, const ResourceSlice& slice) {
  if (!slices.empty() && slice.generation < slices.front()->generation) return;
  if (!slices.empty() && slice.generation > slices.front()->generation) slices.clear();
  slices.push_back(&slice);
}

bool by_name(const ResourceSlice* a, const ResourceSlice* b) { return a->name < b->name; }

/// The name of a device that stands twice; empty where none does.
std::string_view duplicate_in(const std::vector<const ResourceSlice*>& slices) {
  std::set<std::string_view> names;
  for (const ResourceSlice* slice : slices)
    for (const Device& device : slice->devices)
      if (!names.insert(device.name).second) return device.name;
  return {};
}

using CounterSets = std::map<std::string_view, const ResourceList*>;

/// The pool's counters; nothing where a set stands twice.
std::optional<CounterSets> counter_sets(const std::vector<const ResourceSlice*>& slices) {
  CounterSets sets;
  for (const ResourceSlice* slice : slices)
    for (const CounterUse& set : slice->shared_counters)
      if (!sets.emplace(set.set, &set.counters).second) return std::nullopt;
  return sets;
}

bool are_counted(const ResourceSlice& slice, const CounterSets& sets) {
  for (const Device& device : slice.devices)
    for (const CounterUse& use : device.consumes) {
      const auto set = sets.find(use.set);
      if (set == sets.end()) return false;
      for (const auto& counter : use.counters)
        if (!set->second->contains(counter.first)) return false;
    }
  return true;
}

bool needs_binding(const NodePool& pool) {
  return std::any_of(pool.slices.begin(), pool.slices.end(), [](const ResourceSlice* slice) {
    return std::any_of(slice->devices.begin(), slice->devices.end(),
                       [](const Device& device) { return device.has_binding_conditions; });
  });
}

bool is_newer(const DeviceClass& a, const DeviceClass& b) {
  if (a.created != b.created) return a.created > b.created;
  return a.name < b.name;
}

}  // namespace

bool has_new_device_features(const Rules& rules) { return rules.minor >= kNewFeaturesSince; }

bool reaches(const Node& node, std::string_view node_name, bool all_nodes,
             const NodeSelector& selector) {
  if (!node_name.empty()) return node.name == node_name;
  return all_nodes || matches(selector, node);
}

DeviceSupply::DeviceSupply(const Cluster& cluster) : DeviceSupply(cluster, {}) {}

DeviceSupply::DeviceSupply(const Cluster& cluster, const ReleasedClaims& released)
    : cluster_(cluster), has_new_features_(has_new_device_features(cluster.rules())) {
  const Snapshot& snapshot = cluster.snapshot();
  for (const ResourceSlice& slice : snapshot.slices) add(slice);
  for (const ResourceSlice& slice : snapshot.scheduling.other_slices) add(slice);
  for (const ResourceClaim& claim : snapshot.claims)
    if (!released.contains(claim)) add(claim);
  if (cluster.rules().maps_extended_resources)
    for (const DeviceClass& each : snapshot.device_classes) map(each);
}

void DeviceSupply::add(const ResourceSlice& slice) {
  const bool is_new = slice.selects_per_device || !slice.shared_counters.empty();
  if (is_new && !has_new_features_) return;
  by_pool_[{slice.driver, slice.pool}].push_back(&slice);
  if (slice.node_name.empty() || !slice.shared_counters.empty())
    elsewhere_.push_back(&slice);
  else
    on_node_[slice.node_name].push_back(&slice);
}

void DeviceSupply::add(const ResourceClaim& claim) {
  if (!claim.is_allocated) return;
  for (const AllocatedDevice& device : claim.devices) {
    if (device.admin_access) continue;
    if (has_new_features_ && !device.share_id.empty())
      add_to(shares_[device.id], device.consumed);
    else
      taken_.insert(device.id);
  }
}

void DeviceSupply::map(const DeviceClass& device_class) {
  classes_[std::string(kImplicitResource) + device_class.name] = &device_class;
  if (device_class.extended_resource.empty()) return;
  const DeviceClass*& mapped = classes_[device_class.extended_resource];
  if (mapped == nullptr || is_newer(device_class, *mapped)) mapped = &device_class;
}

const ResourceList* DeviceSupply::shares_of(const DeviceId& device) const {
  const auto found = shares_.find(device);
  return found == shares_.end() ? nullptr : &found->second;
}

const DeviceClass* DeviceSupply::class_for(std::string_view resource) const {
  const auto found = classes_.find(resource);
  return found == classes_.end() ? nullptr : found->second;
}

std::string DeviceSupply::given_up(const std::string& node) const {
  constexpr std::size_t kMostNames = 5;
  const bool is_named = given_up_.contains(node) || given_up_.size() < kMostNames;
  if (is_named) given_up_.insert(node);
  return "devices of " + (is_named ? node : "other nodes") + ": too many ways to choose them";
}

const CelSelector& DeviceSupply::selector(const std::string& expression) const {
  return selectors_.try_emplace(expression, expression).first->second;
}

const std::vector<NodePool>& DeviceSupply::pools_of(std::size_t node) const {
  const auto [at, is_new] = pools_.try_emplace(node);
  if (is_new) at->second = gather(*cluster_.nodes()[node].node);
  return at->second;
}

std::vector<NodePool> DeviceSupply::gather(const Node& node) const {
  std::map<PoolKey, Slices> found;
  const auto add_reaching = [&](const Slices& slices) {
    for (const ResourceSlice* slice : slices)
      if (is_reached(node, *slice)) add_newest(found[{slice->driver, slice->pool}], *slice);
  };
  if (const auto here = on_node_.find(node.name); here != on_node_.end())
    add_reaching(here->second);
  add_reaching(elsewhere_);
  std::vector<NodePool> pools;
  for (auto& [key, slices] : found)
    if (std::optional<NodePool> pool = pool_of(key, std::move(slices)))
      pools.push_back(std::move(*pool));
  if (has_new_features_)
    std::stable_partition(pools.begin(), pools.end(),
                          [](const NodePool& pool) { return !needs_binding(pool); });
  return pools;
}

std::optional<NodePool> DeviceSupply::pool_of(const PoolKey& key, Slices reaching) const {
  NodePool pool{.driver = key.first, .name = key.second};
  const std::int64_t generation = reaching.front()->generation;
  const std::int64_t promised = reaching.front()->slice_count;
  Slices all = reaching;
  // Before 1.36 only slices that reach the node count.
  if (static_cast<std::int64_t>(reaching.size()) != promised &&
      !cluster_.rules().uses_incomplete_pools) {
    all.clear();
    for (const ResourceSlice* slice : by_pool_.at(key)) {
      if (slice->generation > generation) return std::nullopt;  // about to be replaced
      if (slice->generation == generation) all.push_back(slice);
    }
  }
  pool.is_incomplete = static_cast<std::int64_t>(all.size()) != promised;
  std::sort(reaching.begin(), reaching.end(), by_name);
  const std::optional<CounterSets> sets = counter_sets(reaching);
  const Slices& counted = pool.is_incomplete ? reaching : all;
  pool.slices = std::move(reaching);
  std::erase_if(pool.slices,
                [](const ResourceSlice* each) { return !each->shared_counters.empty(); });
  pool.duplicate = duplicate_in(pool.slices);
  pool.is_invalid = !pool.duplicate.empty() || !sets ||
                    (has_new_features_ &&
                     !std::all_of(counted.begin(), counted.end(), [&](const ResourceSlice* slice) {
                       return are_counted(*slice, *sets);
                     }));
  if (pool.is_incomplete && !cluster_.rules().uses_incomplete_pools) {
    pool.is_invalid = false;  // it is not looked at any further
    pool.can_be_used = false;
  }
  if (pool.is_invalid) pool.can_be_used = false;
  if (!sets || sets->empty()) return pool;
  auto counters = std::make_shared<DraCounters>(
      DraPool{.driver = key.first, .name = key.second, .slices = counted, .unusable = {}});
  for (const ResourceSlice* slice : counted)
    for (const Device& device : slice->devices)
      if (!device.consumes.empty() &&
          is_taken({std::string(key.first), std::string(key.second), device.name}))
        counters->take(device);
  pool.counters = std::move(counters);
  return pool;
}

}  // namespace gpu::scheduler
