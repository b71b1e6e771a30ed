#include "model/snapshot.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "model/gpu_resource.hpp"
#include "model/requests.hpp"

namespace gpu {
namespace {

std::int64_t devices_in(const ResourceList& requests) {
  std::int64_t devices = 0;
  for (const auto& [name, amount] : requests)
    if (gpu_resource(name)) devices = capped_sum(devices, amount.value());
  return devices;
}

/// What the pod takes of the node's own resources: devices that a claim provides are the claim's.
ResourceList requests_of_node(const Pod& pod) {
  ResourceList requests = effective_requests(pod);
  for (const ExtendedResourceMapping& mapping : pod.extended_resources)
    if (requests.contains(mapping.resource)) requests.set(mapping.resource, Quantity{});
  return requests;
}

}  // namespace

Fold::Fold(Snapshot& snapshot, Keep keep) : snapshot_(snapshot), keep_(std::move(keep)) {}

void Fold::add(Node&& node) { snapshot_.nodes.push_back(std::move(node)); }

void Fold::add(const Pod& pod) {
  if (is_finished(pod)) {
    if (keep_ && keep_(pod)) snapshot_.pods.push_back(pod);
    return;
  }
  const ResourceList requests = requests_of_node(pod);
  if (!pod.node_name.empty()) {
    NodeSums& sums = snapshot_.sums[pod.node_name];
    add_to(sums.requested, requests);
    ++sums.pods;
  } else if (const std::int64_t devices = devices_in(requests);
             devices > 0 && snapshot_.waiting && !pod.deleted) {
    ++snapshot_.waiting->pods;
    snapshot_.waiting->gpus = capped_sum(snapshot_.waiting->gpus, devices);
  }
  if (keep_ && keep_(pod)) snapshot_.pods.push_back(pod);
}

void Fold::finish() {
  std::sort(snapshot_.nodes.begin(), snapshot_.nodes.end(),
            [](const Node& a, const Node& b) { return a.name < b.name; });
  std::sort(snapshot_.pods.begin(), snapshot_.pods.end(), [](const Pod& a, const Pod& b) {
    return std::tie(a.ns, a.name) < std::tie(b.ns, b.name);
  });
}

const NodeSums* sums_of(const Snapshot& snapshot, std::string_view node) {
  const auto found = snapshot.sums.find(node);
  return found == snapshot.sums.end() ? nullptr : &found->second;
}

}  // namespace gpu
