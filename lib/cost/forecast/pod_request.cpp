#include "cost/forecast/pod_request.hpp"

#include <algorithm>

#include "base/quantity.hpp"
#include "model/gpu/gpu_resource.hpp"
#include "model/snapshot/requests.hpp"

namespace gpu::cost {
namespace {

constexpr std::int64_t kUnknown = 0;

template <class Object>
const std::vector<DeviceRequest>* requests_in(const std::vector<Object>& objects,
                                              std::string_view ns, std::string_view name) {
  for (const Object& each : objects)
    if (each.ns == ns && each.name == name) return &each.requests;
  return nullptr;
}

/// Null where nobody has the claim or template.
const std::vector<DeviceRequest>* requests_of(const ClaimReference& slot, const Pod& pod,
                                              const PlannedObjects& planned,
                                              const Snapshot& snapshot) {
  if (!slot.claim_template.empty()) {
    const auto* const own = requests_in(planned.claim_templates, pod.ns, slot.claim_template);
    return own != nullptr
               ? own
               : requests_in(snapshot.scheduling.claim_templates, pod.ns, slot.claim_template);
  }
  const auto* const own = requests_in(planned.claims, pod.ns, slot.claim);
  return own != nullptr ? own : requests_in(snapshot.claims, pod.ns, slot.claim);
}

void add(PodRequest& to, const std::string& resource, std::int64_t units, bool is_claimed) {
  const auto at = std::find_if(to.gpus.begin(), to.gpus.end(), [&](const GpuRequest& each) {
    const bool are_known = (each.units == kUnknown) == (units == kUnknown);
    return each.resource == resource && each.is_claimed == is_claimed && are_known;
  });
  if (at == to.gpus.end())
    to.gpus.push_back({resource, units, is_claimed});
  else
    at->units = capped_sum(at->units, units);
}

void add_claimed(PodRequest& to, const DeviceRequest& request, const std::string& claim) {
  if (request.admin_access) return;  // it looks at devices, and takes none
  if (request.wants_all) {
    to.not_checked.push_back("how many devices claim " + claim + " gets, which wants all");
    add(to, request.device_class, kUnknown, true);
    return;
  }
  if (!request.alternatives.empty()) to.not_checked.push_back("the alternatives of claim " + claim);
  if (!request.selectors.empty())
    to.not_checked.push_back("which devices the selectors of claim " + claim + " choose");
  add(to, request.device_class, request.count, true);
}

}  // namespace

PodRequest gpus_of(const Pod& pod, const PlannedObjects& planned, const Snapshot& snapshot) {
  PodRequest made;
  const std::vector<PartRequest> parts = part_requests(pod);
  const auto is_of_parts = [&](const std::string& resource) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](const PartRequest& each) { return each.resource == resource; });
  };
  for (const PartRequest& each : parts)
    made.gpus.push_back({each.resource, each.units, false, each.part});
  for (const auto& [resource, amount] : effective_requests(pod))
    if (gpu_resource(resource) && amount.value() > 0 && !is_of_parts(resource))
      add(made, resource, amount.value(), false);
  for (const ClaimReference& slot : pod.claim_slots) {
    const std::string& name = slot.claim_template.empty() ? slot.claim : slot.claim_template;
    const auto* const requests = requests_of(slot, pod, planned, snapshot);
    if (requests == nullptr) {
      made.not_checked.push_back("what claim " + name + " is for: it was not found");
      add(made, "claim " + name, kUnknown, true);
      continue;
    }
    for (const DeviceRequest& request : *requests) add_claimed(made, request, name);
  }
  return made;
}

}  // namespace gpu::cost
