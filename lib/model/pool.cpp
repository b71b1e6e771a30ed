#include "model/pool.hpp"

#include <algorithm>
#include <array>

#include "model/dra.hpp"

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

/// Units as the labels count them: cards or single-strategy slices, times replicas. Nothing where
/// they do not say.
std::optional<std::int64_t> promised_units(const Pool& pool, const GpuLabels& labels) {
  if (!labels.count) return std::nullopt;
  if (pool.sharing.strategy == SharingStrategy::none) return labels.count;
  if (!pool.sharing.replicas) return std::nullopt;
  return capped_product(*labels.count, *pool.sharing.replicas);
}

std::optional<std::int64_t> cards_behind(const Pool& pool, const std::optional<GpuLabels>& labels) {
  if (pool.kind.kind != DeviceKind::card) return std::nullopt;
  if (pool.capacity == 0) return labels ? labels->count : std::nullopt;
  if (pool.sharing.strategy == SharingStrategy::none) return pool.capacity;
  if (!pool.sharing.replicas) return labels ? labels->count : std::nullopt;
  if (pool.capacity % *pool.sharing.replicas != 0) return std::nullopt;
  return pool.capacity / *pool.sharing.replicas;
}

Pool pool_of(const Node& node, std::string_view resource, const std::optional<GpuLabels>& labels) {
  const GpuResource kind = gpu_resource(resource).value_or(GpuResource{});
  Pool pool{.node = node.name, .resource = std::string(resource), .kind = kind_on(kind, labels)};
  // No API server accepts less than 0; a file may hold anything.
  pool.capacity = std::max<std::int64_t>(0, amount_of(node.capacity, resource).value());
  pool.allocatable = std::max<std::int64_t>(0, amount_of(node.allocatable, resource).value());
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

bool is_advertised(const Pool& pool) { return pool.capacity > 0 || pool.allocatable > 0; }

/// Whether the node still speaks of any GPU: if not, its device plugin never came or is gone, and
/// only labels tell how many there should be.
enum class Plugin { present, missing };

/// All units of a pool. A pool that nobody advertises has what its pods hold, or what labels
/// promise; where they promise without a number, that is unknown.
std::optional<std::int64_t> total_units(const Pool& pool, std::int64_t held, Plugin plugin,
                                        const std::optional<GpuLabels>& labels) {
  const std::int64_t seen = std::max({pool.capacity, pool.allocatable, held});
  if (plugin == Plugin::present || !labels || labels->vendor != pool.kind.vendor) return seen;
  const std::optional<std::int64_t> promised = promised_units(pool, *labels);
  return promised ? std::optional(std::max(seen, *promised)) : std::nullopt;
}

Unavailable own_reason(const Pool& pool, Plugin plugin) {
  if (plugin == Plugin::missing) return Unavailable::device_plugin_missing;
  if (!is_advertised(pool) || pool.allocatable >= pool.capacity) return Unavailable::none;
  return pool.allocatable == 0 ? Unavailable::device_plugin_unhealthy : Unavailable::gpu_unhealthy;
}

/// Shares the total out: held, free, unavailable.
void count(Pool& pool, std::int64_t held, Sight pod_sight, Plugin plugin, Unavailable node_reason) {
  pool.reason = own_reason(pool, plugin);
  if (plugin == Plugin::missing) pool.free = 0;
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
  if (pool.total) pool.unavailable = *pool.total - held - *pool.free;
  // A sick device that a pod holds is lost to nobody yet; a node that takes no pods stays so.
  const bool is_about_devices = node_reason == Unavailable::none && plugin == Plugin::present;
  if (is_about_devices && pool.unavailable == 0) pool.reason = Unavailable::none;
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

std::string_view name_of(PoolSource source) {
  return source == PoolSource::dra ? "dra" : "device-plugin";
}

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
    case Unavailable::device_tainted:
      return "device-tainted";
    case Unavailable::pool_incomplete:
      return "pool-incomplete";
    case Unavailable::card_in_use:
      return "card-in-use";
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
  // Without an amount the scheduler counts no slot at all.
  const std::int64_t pods = sums == nullptr ? 0 : sums->pods;
  const bool is_full = pods >= amount_of(node.allocatable, "pods").value();
  return is_full ? Unavailable::too_many_pods : Unavailable::none;
}

std::vector<Pool> pools_of(const Node& node, const NodeSums* sums, Sight pod_sight) {
  const std::optional<GpuLabels> labels = gpu_labels(node.labels);
  const auto held = [&](const Pool& pool) {
    if (sums == nullptr) return std::int64_t{0};
    return std::max<std::int64_t>(0, amount_of(sums->requested, pool.resource).value());
  };
  std::vector<Pool> pools;
  for (const std::string& name : gpu_resource_names(node, sums)) {
    Pool pool = pool_of(node, name, labels);
    // A resource at 0 is what a kubelet keeps of a plugin that is gone or was renamed.
    if (is_advertised(pool) || held(pool) > 0) pools.push_back(std::move(pool));
  }
  if (pools.empty() && labels)
    pools.push_back(pool_of(node, usual_resource(labels->vendor), labels));
  const bool has_plugin = std::any_of(pools.begin(), pools.end(), is_advertised);
  const Plugin plugin = has_plugin ? Plugin::present : Plugin::missing;
  for (Pool& pool : pools) {
    pool.total = total_units(pool, held(pool), plugin, labels);
    count(pool, held(pool), pod_sight, plugin, node_unavailable(node, sums));
  }
  // After a switch to MIG the kubelet still reports the whole cards, none of them allocatable.
  const bool has_slices = std::any_of(pools.begin(), pools.end(), [](const Pool& pool) {
    return pool.kind.kind == DeviceKind::mig_slice && is_advertised(pool);
  });
  if (has_slices)
    std::erase_if(pools, [](const Pool& pool) {
      return pool.kind.kind == DeviceKind::card && pool.kind.vendor == Vendor::nvidia &&
             pool.allocatable == 0 && pool.allocated.value_or(0) == 0;
    });
  return pools;
}

bool is_gpu_node(const Node& node) { return !pools_of(node, nullptr, Sight::none).empty(); }

std::vector<Pool> pools_of(const Snapshot& snapshot, const DraInventory& dra, const Node& node) {
  std::vector<Pool> pools = pools_of(node, sums_of(snapshot, node.name), snapshot.pod_sight);
  dra.join(node, pools);
  return pools;
}

std::vector<Pool> pools_of(const Snapshot& snapshot) {
  const DraInventory dra(snapshot);
  std::vector<Pool> all;
  for (const Node& node : snapshot.nodes)
    for (Pool& pool : pools_of(snapshot, dra, node)) all.push_back(std::move(pool));
  return all;
}

}  // namespace gpu
