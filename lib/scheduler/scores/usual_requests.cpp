#include "scheduler/scores/usual_requests.hpp"

#include <algorithm>
#include <string_view>

#include "base/quantity.hpp"
#include "model/snapshot/requests.hpp"
#include "scheduler/cluster/amounts.hpp"
#include "scheduler/cluster/rules.hpp"

namespace gpu::scheduler {
namespace {

constexpr std::int64_t kUsualCpu = 100;                   // thousandths
constexpr std::int64_t kUsualMemory = 200 * 1024 * 1024;  // bytes

bool has(const Container& container, std::string_view resource) {
  return container.requests.contains(resource) || container.limits.contains(resource);
}

bool all_have(const Pod& pod, std::string_view resource) {
  const auto each = [&](const Container& container) { return has(container, resource); };
  return std::all_of(pod.containers.begin(), pod.containers.end(), each) &&
         std::all_of(pod.init_containers.begin(), pod.init_containers.end(), each);
}

bool is_pod_level_name(std::string_view name) {
  return name == "cpu" || name == "memory" || name.starts_with("hugepages-");
}

/// Pods with requests of their own keep to them.
bool has_pod_level(const Pod& pod, RequestRules rules) {
  if (!rules.reads_pod_requests || !pod.pod_requests) return false;
  return std::any_of(pod.pod_requests->begin(), pod.pod_requests->end(),
                     [](const auto& entry) { return is_pod_level_name(entry.first); });
}

void complete(Pod& pod, std::string_view resource, Quantity amount) {
  for (auto* const list : {&pod.containers, &pod.init_containers})
    for (Container& container : *list)
      if (!has(container, resource)) container.requests.set(resource, amount);
}

UsualAmounts amounts_in(const ResourceList& requests) {
  return {.cpu = compared_amount("cpu", amount_of(requests, "cpu")),
          .memory = compared_amount("memory", amount_of(requests, "memory"))};
}

}  // namespace

// Source: pkg/scheduler/framework/types.go CalculateResource.
UsualAmounts usual_amounts(const Cluster& cluster, const Pod& pod) {
  const RequestRules rules = cluster.rules().requests;
  const ResourceList requests = effective_requests(pod, rules);
  const bool is_pod_level = has_pod_level(pod, rules);
  const auto lacks = [&](std::string_view resource) {
    return !all_have(pod, resource) && !(is_pod_level && requests.contains(resource));
  };
  const bool lacks_cpu = lacks("cpu");
  const bool lacks_memory = lacks("memory");
  if (!lacks_cpu && !lacks_memory) return amounts_in(requests);
  Pod completed = pod;
  if (lacks_cpu) complete(completed, "cpu", Quantity::of_milli(kUsualCpu));
  if (lacks_memory) complete(completed, "memory", Quantity::of(kUsualMemory));
  return amounts_in(effective_requests(completed, rules));
}

void UsualRequests::add(std::size_t node, const UsualAmounts& amounts) {
  std::optional<UsualAmounts>& sum = nodes_[node];
  if (!sum) return;
  sum->cpu = capped_sum(sum->cpu, amounts.cpu);
  sum->memory = capped_sum(sum->memory, amounts.memory);
}

const UsualAmounts& UsualRequests::of(std::size_t node) {
  std::optional<UsualAmounts>& sum = nodes_[node];
  if (sum) return *sum;
  sum.emplace();
  for (const BoundPod& bound : cluster_.nodes()[node].pods) {
    const UsualAmounts each = usual_amounts(cluster_, *bound.pod);
    sum->cpu = capped_sum(sum->cpu, each.cpu);
    sum->memory = capped_sum(sum->memory, each.memory);
  }
  return *sum;
}

}  // namespace gpu::scheduler
