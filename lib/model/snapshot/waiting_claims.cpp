#include "model/snapshot/waiting_claims.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "model/gpu/gpu_resource.hpp"
#include "model/snapshot/requests.hpp"

namespace gpu {
namespace {

std::set<std::string_view> gpu_classes(const Snapshot& snapshot) {
  std::set<std::string_view> drivers;
  for (const ResourceSlice& slice : snapshot.slices)
    if (is_gpu_driver(slice.driver)) drivers.insert(slice.driver);
  std::set<std::string_view> classes;
  for (const DeviceClass& each : snapshot.device_classes) {
    const auto names = [&](std::string_view driver) {
      return std::any_of(each.selectors.begin(), each.selectors.end(), [&](const std::string& cel) {
        return cel.find(driver) != std::string::npos;
      });
    };
    const bool names_driver = std::any_of(drivers.begin(), drivers.end(), names);
    if (names_driver || is_gpu_driver(each.name)) classes.insert(each.name);
  }
  return classes;
}

const ResourceClaim* find_claim(const Snapshot& snapshot, std::string_view ns,
                                std::string_view name) {
  const auto key = std::tie(ns, name);
  const auto found = std::lower_bound(snapshot.claims.begin(), snapshot.claims.end(), key,
                                      [](const ResourceClaim& claim, const auto& wanted) {
                                        return std::tuple<std::string_view, std::string_view>(
                                                   claim.ns, claim.name) < wanted;
                                      });
  const bool is_it = found != snapshot.claims.end() && found->ns == ns && found->name == name;
  return is_it ? &*found : nullptr;
}

std::int64_t devices_asked(const ResourceClaim& claim, const std::set<std::string_view>& classes) {
  std::int64_t devices = 0;
  for (const DeviceRequest& request : claim.requests) {
    if (request.admin_access) continue;
    if (!classes.contains(request.device_class) && !is_gpu_driver(request.device_class)) continue;
    devices = capped_sum(devices, request.wants_all ? 1 : request.count);
  }
  return devices;
}

bool waits_by_request(const Pod& pod) {
  const ResourceList requests = effective_requests(pod);
  return std::any_of(requests.begin(), requests.end(), [](const auto& entry) {
    return gpu_resource(entry.first) && entry.second > Quantity{};
  });
}

/// Pods that wait by request, too, are in snapshot.waiting already, and are no more pods here.
WaitingSums waiting_for_claims(const Snapshot& snapshot) {
  const std::set<std::string_view> classes = gpu_classes(snapshot);
  WaitingSums sums;
  std::set<const ResourceClaim*> counted;  // pods may share a claim
  for (const Pod& pod : snapshot.pods) {
    if (!may_wait_for_claims(pod)) continue;
    bool is_waiting = false;
    for (const std::string& name : pod.claims) {
      const ResourceClaim* claim = find_claim(snapshot, pod.ns, name);
      if (claim == nullptr || claim->is_allocated) continue;
      const std::int64_t devices = devices_asked(*claim, classes);
      if (devices == 0) continue;
      is_waiting = true;
      if (counted.insert(claim).second) sums.gpus = capped_sum(sums.gpus, devices);
    }
    if (is_waiting && !waits_by_request(pod)) ++sums.pods;
  }
  return sums;
}

}  // namespace

std::int64_t devices_waited_for(const Snapshot& snapshot, const Pod& pod) {
  if (pod.claims.empty()) return 0;
  const std::set<std::string_view> classes = gpu_classes(snapshot);
  std::int64_t devices = 0;
  for (const std::string& name : pod.claims) {
    const ResourceClaim* claim = find_claim(snapshot, pod.ns, name);
    if (claim != nullptr && !claim->is_allocated)
      devices = capped_sum(devices, devices_asked(*claim, classes));
  }
  return devices;
}

bool may_wait_for_claims(const Pod& pod) {
  const bool names_claims = pod.claim_references > 0 || !pod.claims.empty();
  return names_claims && pod.node_name.empty() && !pod.deleted && !is_finished(pod);
}

std::optional<WaitingSums> waiting_in(const Snapshot& snapshot) {
  const bool lacks_claims =
      snapshot.claim_coverage == Coverage::none &&
      std::any_of(snapshot.pods.begin(), snapshot.pods.end(), may_wait_for_claims);
  if (!snapshot.waiting || lacks_claims) return std::nullopt;
  const WaitingSums for_claims = waiting_for_claims(snapshot);
  const WaitingSums failed = waiting_for_replacement(snapshot.controlled);
  return WaitingSums{
      .pods = snapshot.waiting->pods + for_claims.pods + failed.pods,
      .gpus = capped_sum(capped_sum(snapshot.waiting->gpus, for_claims.gpus), failed.gpus)};
}

}  // namespace gpu
