#include "cost/ledger/use_now.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "model/gpu/gpu_resource.hpp"

namespace gpu::cost {
namespace {

bool requests_gpus(const ResourceList& list) {
  return std::any_of(list.begin(), list.end(), [](const auto& entry) {
    return entry.second > Quantity{} && gpu_resource(entry.first);
  });
}

bool requests_gpus(const Container& container) {
  return requests_gpus(container.requests) || requests_gpus(container.limits);
}

/// Devices of claims may be any container's, and so may those that a pod has by an annotation.
bool may_use_gpus(const Pod& pod, const Container& container) {
  const auto requests = [](const Container& one) { return requests_gpus(one); };
  const bool says_whose = std::ranges::any_of(pod.containers, requests) ||
                          std::ranges::any_of(pod.init_containers, requests);
  return pod.claim_references > 0 || !says_whose || requests_gpus(container);
}

bool is_running(const ContainerResourceStatus& status) {
  return status.waiting.empty() && status.terminated.empty();
}

/// Whether one of `containers` that may use GPUs runs, or nothing is said of it.
bool any_runs(const Pod& pod, const std::vector<Container>& containers,
              const std::vector<ContainerResourceStatus>& statuses) {
  return std::any_of(containers.begin(), containers.end(), [&](const Container& container) {
    if (!may_use_gpus(pod, container)) return false;
    const auto status = std::find_if(statuses.begin(), statuses.end(),
                                     [&](const auto& one) { return one.name == container.name; });
    return status == statuses.end() || is_running(*status);
  });
}

}  // namespace

bool runs_on_gpus(const Pod& pod) {
  const bool has_begun = pod.phase != "Pending";
  if (any_runs(pod, pod.init_containers, pod.init_container_statuses) &&
      (has_begun || !pod.init_container_statuses.empty()))
    return true;
  if (!has_begun) return false;
  return any_runs(pod, pod.containers, pod.container_statuses);
}

std::optional<double> use_now(const usage::PodUsage& row) {
  if (row.pod == nullptr) return 0.0;  // a claim that no pod uses
  if (usage::shared_by(row) == 1 && !runs_on_gpus(*row.pod)) return 0.0;
  const usage::Use& use = usage::shared_by(row) > 1 ? row.held_use : row.use;
  return use.average_utilization ? use.average_utilization : use.utilization;
}

}  // namespace gpu::cost
