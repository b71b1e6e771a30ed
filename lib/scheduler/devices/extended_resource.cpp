#include "scheduler/devices/extended_resource.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "model/snapshot/requests.hpp"
#include "scheduler/cluster/rules.hpp"

namespace gpu::scheduler {
namespace {

bool is_extended(std::string_view name) {
  if (name.starts_with("deviceclass.resource.kubernetes.io/")) return true;
  return name.find('/') != std::string_view::npos && !name.starts_with("requests.") &&
         name.find("kubernetes.io/") == std::string_view::npos;
}

/// A container of the pod, init containers first, and its place among them.
struct Numbered {
  const Container* container = nullptr;
  std::size_t index = 0;
  bool is_short_lived = false;  ///< an init container that ends before the others start
};

std::vector<Numbered> numbered(const Pod& pod) {
  std::vector<Numbered> all;
  for (const Container& each : pod.init_containers)
    all.push_back({&each, all.size(), !each.restarts_always});
  for (const Container& each : pod.containers) all.push_back({&each, all.size(), false});
  return all;
}

/// The request of one container for one resource, less what `reusable` has; nothing where it needs
/// none of its own.
std::optional<DeviceRequest> request_of(const Numbered& of, const std::string& resource,
                                        const DeviceClass& device_class, std::int64_t reusable) {
  const std::int64_t amount = amount_of(of.container->requests, resource).value();
  if (amount <= 0 || reusable >= amount) return std::nullopt;
  std::size_t place = 0;
  for (const auto& request : of.container->requests) {
    if (request.first == resource) break;
    ++place;
  }
  DeviceRequest request{.device_class = device_class.name, .count = amount - reusable};
  request.name = "container-" + std::to_string(of.index) + "-request-" + std::to_string(place);
  return request;
}

/// The requests of all containers for one resource. Init containers that end take turns, also with
/// the containers that start after them.
void add_requests(const std::vector<Numbered>& containers, const std::string& resource,
                  const DeviceClass& device_class, std::vector<DeviceRequest>& requests) {
  std::vector<std::pair<std::size_t, DeviceRequest>> lasting;
  for (const Numbered& each : containers)
    if (!each.is_short_lived)
      if (auto request = request_of(each, resource, device_class, 0))
        lasting.emplace_back(each.index, std::move(*request));
  std::optional<DeviceRequest> largest;
  for (const Numbered& each : containers) {
    if (!each.is_short_lived) continue;
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    std::int64_t reusable = 0;
    for (const auto& [index, request] : lasting)
      if (index >= each.index) reusable += std::min(request.count, kMost - reusable);
    auto request = request_of(each, resource, device_class, reusable);
    if (request && (!largest || largest->count < request->count)) largest = std::move(request);
  }
  if (largest) requests.push_back(std::move(*largest));
  for (auto& each : lasting) requests.push_back(std::move(each.second));
}

const ResourceClaim* claim_made_for(const Cluster& cluster, const Pod& pod) {
  if (!pod.extended_claim.empty()) return cluster.claim(pod.ns, pod.extended_claim);
  // Before the pod's status names it, its name and owner tell.
  const std::string prefix = pod.name + "-extended-resources-";
  const std::vector<ResourceClaim>& claims = cluster.snapshot().claims;
  const auto found = std::find_if(claims.begin(), claims.end(), [&](const ResourceClaim& each) {
    return each.ns == pod.ns && each.name.starts_with(prefix) && !pod.uid.empty() &&
           each.owner_uid == pod.uid;
  });
  return found == claims.end() ? nullptr : &*found;
}

}  // namespace

ExtendedResources::ExtendedResources(const Cluster& cluster, const Pod& pod)
    : pod_(pod), supply_(cluster.shared<DeviceSupply>()) {
  for (const auto& [name, amount] : effective_requests(pod, cluster.rules().requests)) {
    if (!is_extended(name) || amount == Quantity{}) continue;
    asked_.push_back(name);
    are_mapped_ = are_mapped_ || supply_.class_for(name) != nullptr;
  }
  if (are_mapped_) made_claim_ = claim_made_for(cluster, pod);
}

ExtendedResources::OnNode ExtendedResources::on(const Node& node) const {
  OnNode here;
  for (const std::string& name : asked_) {
    const Quantity* has = node.allocatable.find(name);
    if (supply_.class_for(name) != nullptr && (has == nullptr || *has == Quantity{}))
      here.resources.push_back(name);
    else if (has == nullptr)
      here.can_fit = false;
  }
  return here;
}

ResourceClaim ExtendedResources::claim_for(const std::vector<std::string>& resources) const {
  ResourceClaim claim{.ns = pod_.ns, .name = "<extended-resources>"};
  const std::vector<Numbered> containers = numbered(pod_);
  for (const std::string& resource : resources)
    add_requests(containers, resource, *supply_.class_for(resource), claim.requests);
  std::sort(claim.requests.begin(), claim.requests.end(),
            [](const DeviceRequest& a, const DeviceRequest& b) { return a.name < b.name; });
  return claim;
}

}  // namespace gpu::scheduler
