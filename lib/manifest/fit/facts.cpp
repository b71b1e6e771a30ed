#include "manifest/fit/facts.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "model/pools/node_pools.hpp"
#include "model/pools/toleration.hpp"

namespace gpu::manifest {
namespace {

/// How clouds and Karpenter label nodes that they may take back.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kSpotLabels = {{
    {"karpenter.sh/capacity-type", "spot"},
    {"cloud.google.com/gke-spot", "true"},
    {"eks.amazonaws.com/capacityType", "SPOT"},
    {"kubernetes.azure.com/scalesetpriority", "spot"},
}};

Quantity allocatable(const Node& node, std::string_view resource) {
  const Quantity* amount = node.allocatable.find(resource);
  return amount == nullptr ? Quantity() : *amount;
}

void add_taints(std::vector<SeenTaint>& taints, const Node& node) {
  for (const Taint& taint : node.taints) {
    if (taint.effect == "PreferNoSchedule" || is_health_taint(taint) ||
        lifecycle_of(taint) != Unavailable::none)
      continue;
    const auto at = std::find_if(taints.begin(), taints.end(), [&](const SeenTaint& each) {
      return each.taint.key == taint.key && each.taint.value == taint.value &&
             each.taint.effect == taint.effect;
    });
    if (at == taints.end())
      taints.push_back({.taint = taint, .nodes = 1});
    else
      ++at->nodes;
  }
}

GpuNodes new_group(const Node& node, const Pool& pool) {
  const GpuLabels labels = gpu_labels(node.labels).value_or(GpuLabels{});
  return {.model = pool.model,
          .product = labels.product,
          .label = labels.product_label,
          .resource = pool.resource,
          .kind = pool.kind,
          .sharing = pool.sharing,
          .single_mig_profile = labels.single_mig_profile,
          .taints = {}};
}

void add_node(GpuNodes& group, const Node& node, const Pool& pool) {
  ++group.nodes;
  group.units = capped_sum(group.units, pool.allocatable);
  add_taints(group.taints, node);
  const Quantity cpu = allocatable(node, "cpu");
  const Quantity memory = allocatable(node, "memory");
  group.all_cpu += cpu;
  group.all_memory += memory;
  if (pool.allocatable > group.largest) {
    group.largest = pool.allocatable;
    group.cpu = cpu;
    group.memory = memory;
  } else if (pool.allocatable == group.largest) {
    group.cpu = std::min(group.cpu, cpu);
    group.memory = std::min(group.memory, memory);
  }
}

std::vector<GpuNodes> gpu_nodes_of(const Snapshot& snapshot) {
  std::vector<GpuNodes> groups;
  for (const Node& node : snapshot.nodes)
    for (const Pool& pool : pools_of(node, nullptr, Coverage::none)) {
      if (pool.source == PoolSource::dra || pool.allocatable == 0) continue;
      GpuNodes group = new_group(node, pool);
      auto at = std::find_if(groups.begin(), groups.end(), [&](const GpuNodes& each) {
        return std::tie(each.product, each.label, each.resource, each.single_mig_profile) ==
                   std::tie(group.product, group.label, group.resource, group.single_mig_profile) &&
               each.sharing.strategy == group.sharing.strategy;
      });
      if (at == groups.end()) at = groups.insert(groups.end(), std::move(group));
      add_node(*at, node, pool);
    }
  std::stable_sort(groups.begin(), groups.end(), [](const GpuNodes& a, const GpuNodes& b) {
    return capped_product(a.nodes, a.largest) > capped_product(b.nodes, b.largest);
  });
  return groups;
}

std::optional<std::pair<std::string, std::string>> spot_label_of(const Snapshot& snapshot) {
  for (const auto& [key, value] : kSpotLabels)
    for (const Node& node : snapshot.nodes)
      if (const std::string* found = node.labels.find(key); found != nullptr && *found == value)
        return std::pair{std::string(key), std::string(value)};
  return std::nullopt;
}

/// Names of one kind, where all of them were read; of `ns` alone unless it is empty.
template <class Object>
std::optional<std::vector<std::string>> names_of(const std::vector<Object>& objects,
                                                 const SchedulingFacts& facts,
                                                 std::string_view plural, std::string_view ns) {
  if (coverage_of(facts, plural) != Coverage::whole) return std::nullopt;
  std::vector<std::string> names;
  for (const Object& each : objects) {
    if constexpr (requires { each.ns; })
      if (each.ns != ns) continue;
    names.push_back(each.name);
  }
  return names;
}

std::optional<std::vector<std::string>> served_by(const SchedulingFacts& facts) {
  if (coverage_of(facts, "apigroups") != Coverage::whole) return std::nullopt;
  std::vector<std::string> served;
  for (const ApiGroup& group : facts.api_groups)
    for (const ApiVersion& version : group.versions)
      for (const std::string& kind : version.kinds)
        served.push_back(kind + "." + group.name + "/" + version.name);
  return served;
}

/// Nothing where the namespace or Kueue's configuration was not read.
std::optional<bool> managed_by_kueue(const SchedulingFacts& facts, std::string_view ns) {
  const auto at = std::find_if(facts.namespaces.begin(), facts.namespaces.end(),
                               [&](const Namespace& each) { return each.name == ns; });
  if (at == facts.namespaces.end() || facts.queue_configs.empty()) return std::nullopt;
  return matches(facts.queue_configs.front().managed_namespaces, at->labels);
}

}  // namespace

ClusterFacts facts_of(const Snapshot& snapshot, std::string_view ns) {
  const SchedulingFacts& seen = snapshot.scheduling;
  ClusterFacts facts{
      .ns = std::string(ns),
      .is_known = snapshot.node_coverage == Coverage::whole,
      .gpu_nodes = gpu_nodes_of(snapshot),
      .served = served_by(seen),
      .queues = names_of(seen.local_queues, seen, "localqueues", ns),
      .storage_classes = names_of(seen.storage_classes, seen, "storageclasses", ns),
      .device_classes = {},
      .priority_classes = names_of(seen.priority_classes, seen, "priorityclasses", ns),
      .runtime_classes = names_of(seen.runtime_classes, seen, "runtimeclasses", ns),
      .claims = names_of(seen.volume_claims, seen, "persistentvolumeclaims", ns),
      .secrets = names_of(seen.secrets, seen, "secrets", ns),
      .is_managed_by_kueue = managed_by_kueue(seen, ns),
      .spot_label = spot_label_of(snapshot)};
  if (coverage_of(seen, "deviceclasses") == Coverage::whole) {
    facts.device_classes.emplace();
    for (const DeviceClass& each : snapshot.device_classes)
      facts.device_classes->push_back(each.name);
  }
  return facts;
}

std::optional<bool> serves(const ClusterFacts& facts, std::string_view kind,
                           std::string_view group) {
  if (!facts.served) return std::nullopt;
  const std::string start = std::string(kind) + "." + std::string(group) + "/";
  return std::any_of(facts.served->begin(), facts.served->end(),
                     [&](const std::string& each) { return each.starts_with(start); });
}

}  // namespace gpu::manifest
