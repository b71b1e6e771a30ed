#include "model/holdings/holding.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <tuple>

#include "base/quantity.hpp"
#include "model/dra/dra.hpp"
#include "model/holdings/claim_holding.hpp"
#include "model/holdings/gpu_sharers.hpp"
#include "model/snapshot/gpu_fraction.hpp"

namespace gpu {
namespace {

using PoolsByNode = std::map<std::string_view, std::vector<std::size_t>, std::less<>>;

PoolsByNode plugin_pools(const std::vector<Pool>& pools) {
  PoolsByNode found;
  for (std::size_t i = 0; i < pools.size(); ++i)
    if (pools[i].source == PoolSource::device_plugin) found[pools[i].node].push_back(i);
  return found;
}

/// What the kubelet says that the running containers got. Init containers had theirs before, and
/// the containers may have the same now; sidecars keep theirs.
std::vector<std::string> devices_by_status(const Pod& pod, std::string_view resource) {
  std::vector<std::string> ids;
  const auto take = [&](const ContainerResourceStatus& status) {
    for (const AllocatedResource& device : status.devices)
      if (device.name == resource) ids.push_back(device.id);
  };
  for (const ContainerResourceStatus& status : pod.container_statuses) take(status);
  for (const ContainerResourceStatus& status : pod.init_container_statuses) {
    const auto is_sidecar = [&](const Container& container) {
      return container.restarts_always && container.name == status.name;
    };
    if (std::any_of(pod.init_containers.begin(), pod.init_containers.end(), is_sidecar))
      take(status);
  }
  return ids;
}

/// The cards that annotations name, each as often as a slot of it is held; nothing where they do
/// not add up to what is held.
std::vector<std::string> cards_by_annotation(const Pod& pod, const Holding& holding,
                                             SharingStrategy strategy) {
  std::vector<std::string> cards;
  std::int64_t units = 0;
  for (const CardShare& share : pod.card_shares) {
    if (share.by != strategy) continue;
    units = capped_sum(units, share.units);
    const bool is_named = strategy == SharingStrategy::gpushare &&
                          std::find(cards.begin(), cards.end(), share.card) != cards.end();
    if (!is_named) cards.push_back(share.card);
  }
  return units == holding.units ? cards : std::vector<std::string>{};
}

/// Under a sharing scheduler the kubelet hands out slots without knowing of which card they are.
bool is_of_scheduler(SharingStrategy strategy) {
  return strategy == SharingStrategy::hami || strategy == SharingStrategy::volcano ||
         strategy == SharingStrategy::gpushare;
}

void find_devices(Holding& holding, const Pod& pod, const Pool& pool) {
  if (is_of_scheduler(pool.sharing.strategy)) {
    holding.devices = cards_by_annotation(pod, holding, pool.sharing.strategy);
    if (!holding.devices.empty()) holding.evidence = Evidence::annotation;
    return;
  }
  std::vector<std::string> ids = devices_by_status(pod, pool.resource);
  if (static_cast<std::int64_t>(ids.size()) != holding.units) return;
  holding.devices = std::move(ids);
  holding.evidence = Evidence::status;
}

/// Which GPU a reservation pod holds: its binder writes down the UUID.
void find_reserved(Holding& holding, const Pod& reservation, const Pool& pool) {
  const std::string_view uuid = reserved_gpu(reservation);
  if (uuid.empty()) return find_devices(holding, reservation, pool);
  holding.devices = {std::string(uuid)};
  holding.evidence = Evidence::annotation;
}

/// What those who share a GPU hold of it: one holding for each namespace, of which the first has
/// the units.
std::vector<Holding> holdings_of_sharers(std::size_t pool, std::int64_t units,
                                         const std::vector<const Pod*>& pods) {
  std::vector<Holding> shared;
  for (const Pod* pod : pods) {
    auto at = std::find_if(shared.begin(), shared.end(),
                           [&](const Holding& each) { return each.ns == pod->ns; });
    if (at == shared.end()) {
      shared.push_back({.pool = pool, .ns = pod->ns, .pods = {}});
      if (shared.size() == 1) shared.front().units = units;
      at = std::prev(shared.end());
    }
    at->pods.push_back(pod);
  }
  return shared;
}

void add_pod(std::vector<Holding>& holdings, const Pod& pod, const std::vector<Pool>& pools,
             const PoolsByNode& by_node, const GpuSharers& sharers) {
  if (pod.node_name.empty() || is_finished(pod)) return;
  const auto of_node = by_node.find(pod.node_name);
  if (of_node == by_node.end()) return;
  const PodShare share = share_of(pod);
  for (const std::size_t index : of_node->second) {
    const std::int64_t units = amount_of(share.sums.requested, pools[index].resource).value();
    if (units <= 0) continue;
    Holding holding{.pool = index, .ns = pod.ns, .pods = {&pod}, .units = units};
    if (const std::vector<const Pod*> pods = sharers.of(pod); !pods.empty()) {
      std::vector<Holding> shared = holdings_of_sharers(index, units, pods);
      find_reserved(shared.front(), pod, pools[index]);
      std::move(shared.begin(), shared.end(), std::back_inserter(holdings));
      continue;
    }
    find_devices(holding, pod, pools[index]);
    holdings.push_back(std::move(holding));
  }
}

/// Those whose reservation pod is not in sight hold their part of some GPU of their node: which is
/// not known. As many as with_unreserved() counts.
void add_unreserved(std::vector<Holding>& holdings, const std::vector<Pool>& pools,
                    const GpuSharers& sharers) {
  std::map<std::size_t, std::int64_t> held;
  for (const Holding& each : holdings) held[each.pool] = capped_sum(held[each.pool], each.units);
  for (std::size_t i = 0; i < pools.size(); ++i) {
    if (pools[i].source != PoolSource::device_plugin || pools[i].resource != "nvidia.com/gpu")
      continue;
    std::int64_t left = std::max<std::int64_t>(0, pools[i].capacity - held[i]);
    for (const std::vector<const Pod*>& pods : sharers.unreserved_on(pools[i].node)) {
      const std::int64_t units = std::min<std::int64_t>(1, left);
      for (Holding& each : holdings_of_sharers(i, units, pods)) holdings.push_back(std::move(each));
      left -= units;
    }
  }
}

std::string_view name_of(const Holding& holding) {
  return holding.pods.empty() ? std::string_view(holding.claim) : holding.pods.front()->name;
}

bool asks_for_device(const ResourceList& requests) {
  return std::any_of(requests.begin(), requests.end(), [](const auto& entry) {
    return entry.second > Quantity{} && gpu_resource(entry.first);
  });
}

bool asks_for_device(const std::vector<Container>& containers) {
  // Limits are requests where these lack them, as in what was never sent to an API server.
  return std::any_of(containers.begin(), containers.end(), [](const Container& container) {
    return asks_for_device(container.requests) || asks_for_device(container.limits);
  });
}

/// While a resize runs the status may say more than the spec.
bool holds_by_status(const std::vector<ContainerResourceStatus>& statuses) {
  return std::any_of(statuses.begin(), statuses.end(), [](const ContainerResourceStatus& status) {
    return asks_for_device(status.allocated) ||
           (status.requests && asks_for_device(*status.requests));
  });
}

}  // namespace

std::string_view name_of(Evidence evidence) {
  switch (evidence) {
    case Evidence::request:
      return "request";
    case Evidence::annotation:
      return "annotation";
    case Evidence::exporter:
      return "exporter";
    case Evidence::status:
      return "status";
    case Evidence::claim:
      return "claim";
  }
  return "";
}

std::vector<Holding> holdings_of(const Snapshot& snapshot, const DraInventory& dra,
                                 const std::vector<Pool>& pools) {
  std::vector<Holding> holdings = claim_holdings(snapshot, dra, pools);
  const PoolsByNode by_node = plugin_pools(pools);
  const GpuSharers sharers(snapshot);
  for (const Pod& pod : snapshot.pods) add_pod(holdings, pod, pools, by_node, sharers);
  add_unreserved(holdings, pools, sharers);
  std::stable_sort(holdings.begin(), holdings.end(), [](const Holding& a, const Holding& b) {
    return std::tuple(a.pool, std::string_view(a.ns), name_of(a)) <
           std::tuple(b.pool, std::string_view(b.ns), name_of(b));
  });
  return holdings;
}

std::vector<Holding> holdings_of(const Snapshot& snapshot, const std::vector<Pool>& pools) {
  return holdings_of(snapshot, DraInventory(snapshot), pools);
}

bool is_gpu_pod(const Pod& pod) { return !is_finished(pod) && has_had_gpus(pod); }

bool has_had_gpus(const Pod& pod) {
  const bool may_claim =
      pod.claim_references > 0 || !pod.claims.empty() || !pod.extended_claim.empty();
  const bool shares = gpu_fraction(pod) || !gpu_groups(pod).empty();
  return may_claim || shares || asks_for_device(pod.containers) ||
         asks_for_device(pod.init_containers) ||
         (pod.pod_requests && asks_for_device(*pod.pod_requests)) ||
         (pod.pod_limits && asks_for_device(*pod.pod_limits)) || asks_for_device(pod.overhead) ||
         holds_by_status(pod.container_statuses) || holds_by_status(pod.init_container_statuses);
}

}  // namespace gpu
