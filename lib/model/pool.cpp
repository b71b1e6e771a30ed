#include "model/pool.hpp"

#include <algorithm>
#include <array>

namespace gpu {
namespace {

/// Taints that come and go with a node's life; pods do not tolerate them (daemon sets aside).
Unavailable from_taint(const Taint& taint) {
  if (taint.effect != "NoSchedule" && taint.effect != "NoExecute") return Unavailable::none;
  static constexpr std::array<std::string_view, 5> kLeaving = {
      "ToBeDeletedByClusterAutoscaler", "karpenter.sh/disrupted", "karpenter.sh/disruption",
      "aws-node-termination-handler/spot-itn", "node.kubernetes.io/out-of-service"};
  static constexpr std::array<std::string_view, 6> kOther = {
      "node.kubernetes.io/memory-pressure",
      "node.kubernetes.io/disk-pressure",
      "node.kubernetes.io/pid-pressure",
      "node.kubernetes.io/network-unavailable",
      "node.cloudprovider.kubernetes.io/uninitialized",
      "karpenter.sh/unregistered"};
  const auto is = [&](std::string_view key) { return taint.key == key; };
  if (taint.key == "node.kubernetes.io/not-ready" || taint.key == "node.kubernetes.io/unreachable")
    return Unavailable::node_not_ready;
  if (taint.key == "node.kubernetes.io/unschedulable") return Unavailable::cordoned;
  if (std::any_of(kLeaving.begin(), kLeaving.end(), is)) return Unavailable::node_leaving;
  if (std::any_of(kOther.begin(), kOther.end(), is)) return Unavailable::node_tainted;
  return Unavailable::none;
}

/// MIG single strategy hides slices behind nvidia.com/gpu.
GpuResource kind_on(const GpuResource& resource, const std::optional<GpuLabels>& labels) {
  const bool hides_slices = labels && resource.vendor == Vendor::nvidia &&
                            resource.kind == DeviceKind::card &&
                            !labels->single_mig_profile.empty();
  if (!hides_slices) return resource;
  GpuResource slice = resource;
  slice.kind = DeviceKind::mig_slice;
  slice.profile = labels->single_mig_profile;
  return slice;
}

std::string model_of(const GpuResource& kind, const GpuLabels& labels) {
  switch (kind.kind) {
    case DeviceKind::card:
    case DeviceKind::alias:
      return labels.model;
    case DeviceKind::mig_slice:
    case DeviceKind::partition:
      return labels.model.empty() ? kind.profile : family_of(labels.model) + "-" + kind.profile;
    case DeviceKind::vgpu:
      return kind.profile;
  }
  return {};
}

/// HAMi advertises a card as several, and hands out memory and cores of it.
bool is_managed_by_hami(const Node& node) {
  return node.annotations.contains("hami.io/node-nvidia-register") ||
         node.capacity.contains("nvidia.com/gpumem") ||
         node.capacity.contains("nvidia.com/gpucores");
}

/// Replicas apply where the plugin says so: renamed resources, or the plain one of a shared node.
Sharing sharing_on(const Node& node, const GpuResource& kind,
                   const std::optional<GpuLabels>& labels) {
  Sharing sharing;
  if (labels && labels->vendor == kind.vendor && kind.kind != DeviceKind::alias)
    sharing = labels->sharing;
  const bool is_unsaid = sharing.strategy == SharingStrategy::none;
  if (kind.vendor == Vendor::nvidia && kind.kind == DeviceKind::card && is_managed_by_hami(node))
    return {SharingStrategy::hami, std::nullopt};
  if (kind.renamed && is_unsaid) return {SharingStrategy::time_slicing, std::nullopt};
  // A product that ends in -SHARED without a label of replicas: shared by an unknown number.
  if (!is_unsaid && sharing.replicas == 1) sharing.replicas.reset();
  return sharing;
}

std::optional<std::int64_t> cards_behind(const Pool& pool, const std::optional<GpuLabels>& labels) {
  if (pool.kind.kind != DeviceKind::card) return std::nullopt;
  if (pool.sharing.strategy == SharingStrategy::none) return pool.capacity;
  if (!pool.sharing.replicas) return labels ? labels->count : std::nullopt;
  if (pool.capacity % *pool.sharing.replicas != 0) return std::nullopt;
  return pool.capacity / *pool.sharing.replicas;
}

/// `promised`: what labels say there is, for a pool that the node no longer advertises.
void count(Pool& pool, std::int64_t held, std::int64_t promised, Sight pod_sight,
           Unavailable node_reason) {
  pool.total = std::max({pool.capacity, pool.allocatable, held, promised});
  if (pool.capacity == 0)
    pool.reason = Unavailable::device_plugin_missing;
  else if (pool.allocatable == 0)
    pool.reason = Unavailable::device_plugin_unhealthy;
  else if (pool.allocatable < pool.capacity)
    pool.reason = Unavailable::gpu_unhealthy;
  if (node_reason != Unavailable::none) {
    pool.reason = node_reason;
    pool.free = 0;
  }
  if (pod_sight != Sight::whole) {
    if (pod_sight == Sight::partial) pool.at_least = held;
    return;
  }
  pool.allocated = held;
  if (!pool.free) pool.free = std::max<std::int64_t>(0, pool.allocatable - held);
  pool.unavailable = *pool.total - held - *pool.free;
  const bool is_lost_to_nobody = *pool.unavailable == 0 && pool.capacity > 0;
  if (is_lost_to_nobody && node_reason == Unavailable::none) pool.reason = Unavailable::none;
}

Pool pool_of(const Node& node, const std::string& resource, const GpuResource& kind,
             const std::optional<GpuLabels>& labels) {
  Pool pool{.node = node.name, .resource = resource, .kind = kind_on(kind, labels)};
  pool.capacity = amount_of(node.capacity, resource).value();
  pool.allocatable = amount_of(node.allocatable, resource).value();
  pool.sharing = sharing_on(node, pool.kind, labels);
  if (labels && labels->vendor == kind.vendor) {
    pool.product = labels->product;
    pool.model = model_of(pool.kind, *labels);
    pool.driver = labels->driver;
  } else {
    pool.model = pool.kind.profile;
  }
  pool.cards = cards_behind(pool, labels);
  return pool;
}

/// Pods can hold what a plugin that is gone once gave; labels still tell how many there were.
std::int64_t promised_units(const Pool& pool, const std::optional<GpuLabels>& labels) {
  const bool counts = labels && pool.capacity == 0 && pool.kind.kind == DeviceKind::card &&
                      labels->vendor == pool.kind.vendor;
  return counts ? labels->count.value_or(0) : 0;
}

/// Labels promise GPUs, and no plugin has registered any: the units are lost to everyone.
Pool unregistered_pool(const Node& node, const GpuLabels& labels, Sight pod_sight,
                       Unavailable node_reason) {
  Pool pool{.node = node.name,
            .resource = std::string(usual_resource(labels.vendor)),
            .kind = {.vendor = labels.vendor},
            .product = labels.product,
            .model = labels.model,
            .driver = labels.driver};
  pool.total = labels.count;
  pool.cards = labels.count;
  pool.free = 0;
  if (pod_sight == Sight::whole) {
    pool.allocated = 0;
    pool.unavailable = labels.count;
  }
  pool.reason = node_reason == Unavailable::none ? Unavailable::device_plugin_missing : node_reason;
  return pool;
}

std::vector<std::string> gpu_resource_names(const Node& node, const NodeSums* sums) {
  std::vector<std::string> names;
  const auto take = [&](const ResourceList& list) {
    for (const auto& [name, amount] : list)
      if (gpu_resource(name)) names.push_back(name);
  };
  take(node.capacity);
  take(node.allocatable);
  if (sums != nullptr) take(sums->requested);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

std::string_view code_of(Unavailable reason) {
  switch (reason) {
    case Unavailable::none:
      return "";
    case Unavailable::node_not_ready:
      return "node-not-ready";
    case Unavailable::cordoned:
      return "cordoned";
    case Unavailable::node_leaving:
      return "node-leaving";
    case Unavailable::node_tainted:
      return "node-tainted";
    case Unavailable::device_plugin_missing:
      return "device-plugin-missing";
    case Unavailable::device_plugin_unhealthy:
      return "device-plugin-unhealthy";
    case Unavailable::gpu_unhealthy:
      return "gpu-unhealthy";
    case Unavailable::too_many_pods:
      return "too-many-pods";
    case Unavailable::managed_by_dra:
      return "managed-by-dra";
  }
  return "";
}

Unavailable node_unavailable(const Node& node, const NodeSums* sums) {
  if (!is_ready(node)) return Unavailable::node_not_ready;
  if (node.unschedulable) return Unavailable::cordoned;
  if (node.deleted) return Unavailable::node_leaving;
  Unavailable worst = Unavailable::none;
  for (const Taint& taint : node.taints) {
    const Unavailable reason = from_taint(taint);
    if (reason == Unavailable::none) continue;
    if (worst == Unavailable::none || reason < worst) worst = reason;
  }
  if (worst != Unavailable::none) return worst;
  const Quantity* slots = node.allocatable.find("pods");
  if (slots != nullptr && sums != nullptr && sums->pods >= slots->value())
    return Unavailable::too_many_pods;
  return Unavailable::none;
}

std::vector<Pool> pools_of(const Node& node, const NodeSums* sums, Sight pod_sight) {
  const std::optional<GpuLabels> labels = gpu_labels(node.labels);
  const Unavailable reason = node_unavailable(node, sums);
  std::vector<Pool> pools;
  bool has_slices = false;
  for (const std::string& name : gpu_resource_names(node, sums)) {
    Pool pool = pool_of(node, name, *gpu_resource(name), labels);
    const std::int64_t held = sums == nullptr ? 0 : amount_of(sums->requested, name).value();
    // A resource at 0 is what a kubelet keeps of a plugin that is gone or was renamed.
    if (pool.capacity == 0 && pool.allocatable == 0 && held == 0) continue;
    count(pool, held, promised_units(pool, labels), pod_sight, reason);
    has_slices = has_slices || pool.kind.kind == DeviceKind::mig_slice;
    pools.push_back(std::move(pool));
  }
  if (pools.empty() && labels) pools.push_back(unregistered_pool(node, *labels, pod_sight, reason));
  // After a switch to MIG the kubelet still reports the whole cards, none of them allocatable.
  if (has_slices)
    std::erase_if(pools, [](const Pool& pool) {
      return pool.kind.kind == DeviceKind::card && pool.kind.vendor == Vendor::nvidia &&
             pool.allocatable == 0 && pool.allocated.value_or(0) == 0;
    });
  return pools;
}

bool is_gpu_node(const Node& node) { return !pools_of(node, nullptr, Sight::none).empty(); }

std::vector<Pool> pools_of(const Snapshot& snapshot, const Node& node) {
  std::vector<Pool> pools = pools_of(node, sums_of(snapshot, node.name), snapshot.pod_sight);
  if (!snapshot.dra_nodes.contains(node.name)) return pools;
  for (Pool& pool : pools) {
    if (pool.reason != Unavailable::device_plugin_missing) continue;
    pool.reason = Unavailable::managed_by_dra;
    pool.allocated.reset();
    pool.free.reset();
    pool.unavailable.reset();
  }
  return pools;
}

std::vector<Pool> pools_of(const Snapshot& snapshot) {
  std::vector<Pool> all;
  for (const Node& node : snapshot.nodes)
    for (Pool& pool : pools_of(snapshot, node)) all.push_back(std::move(pool));
  return all;
}

}  // namespace gpu
