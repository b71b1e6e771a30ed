#include "plan/gpu_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "model/snapshot/gpu_fraction.hpp"
#include "plan/claims.hpp"
#include "scheduler/cluster/overlay.hpp"

namespace gpu::plan {
namespace {

constexpr std::string_view kGroup = "runai-gpu-group";

/// As KAI's binder creates it: it holds the whole GPU for those who share it.
Pod reservation_of(const Pod& placed, const std::string& group) {
  Pod pod;
  pod.ns = "kai-resource-reservation";
  pod.name = "gpu-reservation-" + group;
  pod.uid = pod.ns + "/" + pod.name;
  pod.node_name = placed.node_name;
  pod.phase = "Running";
  pod.labels.set(std::string(kGroup), group);
  pod.owners = placed.owners;
  pod.containers.emplace_back();
  pod.containers.back().requests.set("nvidia.com/gpu", Quantity::of(1));
  return pod;
}

}  // namespace

std::optional<scheduler::TakenParts> gpu_parts_on(const scheduler::Cluster& cluster, const Pod& pod,
                                                  std::size_t node) {
  const scheduler::Overlay overlay(cluster);
  return scheduler::SharedGpus(cluster, pod).taken_on(overlay.view(node));
}

std::int64_t free_gpus_for_fractions(const scheduler::Cluster& cluster, const Pod& pod,
                                     std::size_t node) {
  const scheduler::Overlay overlay(cluster);
  const std::vector<scheduler::SharedGpu> gpus =
      scheduler::SharedGpus(cluster, pod).gpus(overlay.view(node));
  return std::count_if(gpus.begin(), gpus.end(),
                       [](const scheduler::SharedGpu& gpu) { return gpu.group.empty(); });
}

void take_gpu_parts(Snapshot& snapshot, Pod& placed, const scheduler::TakenParts& taken) {
  // A template that was copied from a pod may have that pod's annotations.
  if (!taken.shares.empty()) placed.card_shares = taken.shares;
  std::size_t created = 0;
  for (std::string group : taken.groups) {
    if (group.empty()) {
      group = fmt::format("{}{}-{}-{}", kPlannedGroup, placed.ns, placed.name, ++created);
      insert_planned(snapshot.pods, reservation_of(placed, group));
    }
    placed.labels.set(
        taken.groups.size() == 1 ? std::string(kGroup) : fmt::format("{}/{}", kGroup, group),
        group);
  }
}

}  // namespace gpu::plan
