#include "diagnose/answer/pod_identity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "model/gpu/gpu_resource.hpp"
#include "model/objects/selector_text.hpp"
#include "model/snapshot/gpu_fraction.hpp"
#include "model/snapshot/requests.hpp"
#include "model/snapshot/waiting_claims.hpp"
#include "scheduler/cluster/amounts.hpp"

namespace gpu::diagnose {
namespace {

std::tuple<int, std::string_view> rank_of(const ResourceRequest& asked) {
  if (gpu_resource(asked.resource)) return {0, asked.resource};
  if (asked.resource.starts_with(kGpuFraction) || asked.resource == kGpuMemory)
    return {0, asked.resource};
  if (asked.resource == "cpu") return {1, {}};
  if (asked.resource == "memory") return {2, {}};
  return {3, asked.resource};
}

/// What KAI and Run:ai read in annotations, by their names.
void add_fraction(std::vector<ResourceRequest>& asks, const Pod& pod) {
  const std::optional<GpuFraction> fraction = gpu_fraction(pod);
  if (!fraction) return;
  if (fraction->thousandths)
    asks.push_back({std::string(kGpuFraction), *fraction->thousandths});
  else if (fraction->memory_mib)
    asks.push_back({std::string(kGpuMemory), *fraction->memory_mib});
  if (fraction->devices > 1) asks.push_back({std::string(kGpuFractionDevices), fraction->devices});
}

std::vector<ResourceRequest> asks_of(const Pod& pod) {
  std::vector<ResourceRequest> asks;
  for (const auto& [name, amount] : effective_requests(pod))
    if (const std::int64_t value = scheduler::compared_amount(name, amount); value > 0)
      asks.push_back({name, value});
  add_fraction(asks, pod);
  sort_asks(asks);
  return asks;
}

/// "beside pods with app=cache, by kubernetes.io/hostname".
std::string neighbour_text(std::string_view how, const PodAffinityTerm& term) {
  const std::string what = term.selector ? text_of(*term.selector) : "";
  return std::string(how) + " pods" + (what.empty() ? "" : " with " + what) + ", by " +
         term.topology_key;
}

std::vector<Constraint> constraints_of(const Pod& pod) {
  std::vector<Constraint> constraints;
  for (const auto& [key, value] : pod.node_selector)
    constraints.push_back({key + "=" + value, ConstraintOrigin::node_selector, key});
  if (const auto& affinity = pod.placement.node_affinity) {
    std::string text;
    for (const NodeSelectorTerm& term : *affinity)
      text += (text.empty() ? "" : ", or ") + text_of(term);
    constraints.push_back({text, ConstraintOrigin::node_affinity});
  }
  for (const TopologySpread& spread : pod.placement.spread)
    if (spread.when_unsatisfiable == "DoNotSchedule")
      constraints.push_back({"spread over " + spread.topology_key + ", skew at most " +
                                 std::to_string(spread.max_skew),
                             ConstraintOrigin::topology_spread});
  for (const PodAffinityTerm& term : pod.placement.pod_affinity)
    constraints.push_back({neighbour_text("beside", term), ConstraintOrigin::pod_affinity});
  for (const PodAffinityTerm& term : pod.placement.pod_anti_affinity)
    constraints.push_back({neighbour_text("away from", term), ConstraintOrigin::pod_anti_affinity});
  for (const PodVolume& volume : pod.volumes)
    if (!volume.claim.empty())
      constraints.push_back({"volume claim " + volume.claim, ConstraintOrigin::volumes});
  return constraints;
}

std::string request_text(const DeviceRequest& request) {
  std::string text;
  for (const DeviceRequest& choice : request.alternatives)
    text += (text.empty() ? "" : " or ") + request_text(choice);
  if (!text.empty()) return text;
  return request.wants_all ? "all of " + request.device_class
                           : fmt::format("{} x {}", request.count, request.device_class);
}

std::string requests_text(const std::vector<DeviceRequest>& requests) {
  std::string text;
  for (const DeviceRequest& request : requests)
    text += (text.empty() ? ": " : ", ") + request_text(request);
  return text;
}

template <class Object>
const std::vector<DeviceRequest>* requests_of(const std::vector<Object>& objects,
                                              std::string_view ns, std::string_view name) {
  const auto found = std::find_if(objects.begin(), objects.end(), [&](const Object& each) {
    return each.ns == ns && each.name == name;
  });
  return found == objects.end() ? nullptr : &found->requests;
}

/// What a pod asks for by claims for devices, in the order of its spec: "claim train-gpus: 4 x
/// gpu.nvidia.com", "claim of template one: 1 x gpu.nvidia.com or 2 x mig.nvidia.com".
std::vector<std::string> requested_claims(const Snapshot& snapshot, const Pod& pod) {
  std::vector<std::string> texts;
  for (const ClaimReference& slot : pod.claim_slots) {
    if (slot.needs_none) continue;
    const bool is_made = !slot.claim.empty();
    const std::vector<DeviceRequest>* const requests =
        is_made ? requests_of(snapshot.claims, pod.ns, slot.claim)
                : requests_of(snapshot.scheduling.claim_templates, pod.ns, slot.claim_template);
    texts.push_back((is_made ? "claim " + slot.claim : "claim of template " + slot.claim_template) +
                    (requests == nullptr ? std::string() : requests_text(*requests)));
  }
  return texts;
}

}  // namespace

void sort_asks(std::vector<ResourceRequest>& asks) {
  std::sort(asks.begin(), asks.end(), [](const ResourceRequest& a, const ResourceRequest& b) {
    return rank_of(a) < rank_of(b);
  });
}

std::int64_t gpus_asked(const scheduler::Cluster& cluster, const Pod& pod) {
  std::int64_t gpus = devices_waited_for(cluster.snapshot(), pod);
  if (const auto fraction = gpu_fraction(pod)) gpus = capped_sum(gpus, fraction->devices);
  for (const auto& [name, amount] : effective_requests(pod))
    if (const auto resource = gpu_resource(name); resource && !resource->is_memory)
      gpus = capped_sum(gpus, amount.value());
  return gpus;
}

Explanation identity_of(const scheduler::Cluster& cluster, const Pod& pod,
                        const std::optional<Time>& now) {
  Explanation identity{.ns = pod.ns, .name = pod.name, .names = {pod.name}};
  identity.owner = top_owner(pod, cluster.snapshot());
  if (now && pod.created) identity.waiting = std::max(std::chrono::seconds{0}, *now - *pod.created);
  identity.gpus = gpus_asked(cluster, pod);
  identity.requests = asks_of(pod);
  identity.claims = requested_claims(cluster.snapshot(), pod);
  identity.only_on = constraints_of(pod);
  return identity;
}

}  // namespace gpu::diagnose
