#include "diagnose/nodes/shares.hpp"

#include <algorithm>

#include "model/pools/node_pools.hpp"

namespace gpu::diagnose {

bool Shares::are_on(std::size_t node, scheduler::ResourceId resource) const {
  const auto [known, is_new] = on_.try_emplace({node, resource}, false);
  if (!is_new) return known->second;
  const scheduler::NodeState& state = cluster_.nodes()[node];
  const std::string_view name = cluster_.name_of(resource);
  if (state.allocatable[resource] <= 0 || !is_nvidia_resource(name)) return false;
  for (const Pool& pool : pools_of(*state.node, nullptr, Coverage::none)) {
    const bool is_shared = pool.sharing.strategy == SharingStrategy::time_slicing ||
                           pool.sharing.strategy == SharingStrategy::mps;
    if (pool.resource == name && is_shared) known->second = true;
  }
  return known->second;
}

bool Shares::are_all(scheduler::ResourceId resource) const {
  const auto [known, is_new] = all_.try_emplace(resource, false);
  if (!is_new) return known->second;
  bool has_any = false;
  for (std::size_t node = 0; node < cluster_.nodes().size(); ++node) {
    if (cluster_.nodes()[node].allocatable[resource] <= 0) continue;
    has_any = true;
    if (!are_on(node, resource)) return false;
  }
  known->second = has_any;
  return has_any;
}

std::string_view gpu_word(const scheduler::Cluster& cluster, scheduler::ResourceId resource,
                          std::int64_t amount) {
  if (cluster.shared<Shares>().are_all(resource)) return amount == 1 ? "GPU share" : "GPU shares";
  return amount == 1 ? "GPU" : "GPUs";
}

std::string_view gpu_word(const scheduler::Cluster& cluster, const NodeReasons& reasons,
                          std::int64_t amount) {
  const auto& gpus = reasons.gpus();
  const bool is_one_kind = gpus.size() == 1;
  if (is_one_kind) return gpu_word(cluster, gpus.front().resource, amount);
  return amount == 1 ? "GPU" : "GPUs";
}

bool asks_for_several_shares(const scheduler::Cluster& cluster, const Pod& pod, std::size_t node) {
  const auto asks = [&](const Container& container) {
    return std::any_of(
        container.requests.begin(), container.requests.end(), [&](const auto& request) {
          const auto resource = cluster.resource(request.first);
          return resource && request.second.value() > 1 && gpu_resource(request.first) &&
                 cluster.shared<Shares>().are_on(node, *resource);
        });
  };
  return std::any_of(pod.containers.begin(), pod.containers.end(), asks) ||
         std::any_of(pod.init_containers.begin(), pod.init_containers.end(), asks);
}

}  // namespace gpu::diagnose
