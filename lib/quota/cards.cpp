#include "quota/cards.hpp"

#include <algorithm>
#include <array>

#include "base/contains.hpp"
#include "base/text.hpp"
#include "diagnose/stack/resource_names.hpp"
#include "model/gpu/gpu_resource.hpp"
#include "usage/rows/unit.hpp"

namespace gpu::quota {
namespace {

bool is_of(const Node& node, const ResourceFlavor& flavor) {
  return std::all_of(flavor.node_labels.begin(), flavor.node_labels.end(), [&](const auto& label) {
    const std::string* const own = node.labels.find(label.first);
    return own != nullptr && *own == label.second;
  });
}

void add(Existing& all, const Pool& pool) {
  const std::string unit(usage::name_of(usage::unit_of(pool)));
  all.unit = all.unit.empty() || all.unit == unit ? unit : "mixed";
  if (!pool.total) {
    all.is_whole = false;
    return;
  }
  all.units = capped_sum(all.units, *pool.total);
  std::int64_t& of_model = all.models[pool.model];
  of_model = capped_sum(of_model, *pool.total);
}

/// Amounts of cards, and what else stands beside GPUs under a vendor's name.
bool is_amount(std::string_view name) {
  static constexpr std::array<std::string_view, 11> kParts = {"mem",   "core",    "monitor", "rdma",
                                                              "nic",   "sriov",   "hostdev", "imex",
                                                              "tiles", "percent", "count"};
  return std::any_of(kParts.begin(), kParts.end(),
                     [&](std::string_view part) { return contains(name, part); });
}

}  // namespace

bool counts_gpus(std::string_view resource) { return gpu_resource(resource).has_value(); }

const ResourceFlavor* flavor_named(const SchedulingFacts& facts, std::string_view name) {
  const auto found = std::find_if(facts.resource_flavors.begin(), facts.resource_flavors.end(),
                                  [&](const ResourceFlavor& each) { return each.name == name; });
  return found == facts.resource_flavors.end() ? nullptr : &*found;
}

Cards::Cards(const scheduler::Cluster& cluster, const usage::Inventory& inventory)
    : cluster_(cluster), inventory_(inventory) {
  for (const Node& node : cluster.snapshot().nodes) nodes_.emplace(node.name, &node);
  for (const ResourceSlice& slice : cluster.snapshot().slices) drivers_.insert(slice.driver);
}

bool Cards::is_known() const { return cluster_.snapshot().node_coverage == Coverage::whole; }

Existing Cards::of(std::string_view resource) const {
  Existing all;
  for (const Pool& pool : inventory_.pools)
    if (pool.resource == resource) add(all, pool);
  return all;
}

Existing Cards::of(std::string_view resource, const ResourceFlavor& flavor) const {
  Existing all;
  for (const Pool& pool : inventory_.pools) {
    const auto node = nodes_.find(pool.node);
    if (pool.resource == resource && node != nodes_.end() && is_of(*node->second, flavor))
      add(all, pool);
  }
  return all;
}

bool Cards::has_nodes(const ResourceFlavor& flavor) const {
  return std::any_of(nodes_.begin(), nodes_.end(),
                     [&](const auto& each) { return is_of(*each.second, flavor); });
}

bool Cards::is_offered(std::string_view resource) const {
  const bool is_pool = std::any_of(inventory_.pools.begin(), inventory_.pools.end(),
                                   [&](const Pool& pool) { return pool.resource == resource; });
  return is_pool || cluster_.shared<diagnose::ResourceNames>().is_offered(resource);
}

std::string Cards::nearest(std::string_view resource) const {
  if (is_amount(resource.substr(resource.find('/') + 1))) return {};
  std::set<std::string_view> names;
  for (const Pool& pool : inventory_.pools)
    if (pool.source == PoolSource::device_plugin) names.insert(pool.resource);
  const std::vector<std::string_view> choices(names.begin(), names.end());
  return std::string(nearest_name(resource, choices).value_or(std::string_view{}));
}

bool Cards::is_of_gpus(std::string_view device_class) const {
  // The classes of NVIDIA's driver, as it installs them.
  const bool is_known_class = is_gpu_driver(device_class) || device_class == "mig.nvidia.com" ||
                              device_class == "vfio.gpu.nvidia.com";
  if (is_known_class) return true;
  const DeviceClass* const known = cluster_.device_class(device_class);
  if (known == nullptr) return false;
  return std::any_of(
      known->selectors.begin(), known->selectors.end(), [&](const std::string& selector) {
        return std::any_of(drivers_.begin(), drivers_.end(),
                           [&](std::string_view driver) { return contains(selector, driver); });
      });
}

}  // namespace gpu::quota
