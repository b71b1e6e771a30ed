#include "plan/devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plan/claims.hpp"
#include "scheduler/devices/allocator.hpp"

namespace gpu::plan {
namespace {

/// Looks at a device without taking it.
bool looks_on(const ResourceClaim& claim) {
  return std::any_of(claim.requests.begin(), claim.requests.end(), [](const DeviceRequest& each) {
    return each.admin_access ||
           std::any_of(each.alternatives.begin(), each.alternatives.end(),
                       [](const DeviceRequest& choice) { return choice.admin_access; });
  });
}

/// Whether a device is of a pool that only this node reaches.
bool is_of_node(const Snapshot& snapshot, const DeviceId& id, const Node& node) {
  bool is_found = false;
  for (const auto* slices : {&snapshot.slices, &snapshot.scheduling.other_slices})
    for (const ResourceSlice& slice : *slices) {
      if (slice.driver != id.driver || slice.pool != id.pool) continue;
      if (slice.node_name != node.name) return false;
      is_found = true;
    }
  return is_found;
}

ResourceClaim* claim_named(Snapshot& snapshot, const std::string& ns, const std::string& name) {
  const auto found =
      std::find_if(snapshot.claims.begin(), snapshot.claims.end(),
                   [&](const ResourceClaim& each) { return each.ns == ns && each.name == name; });
  return found == snapshot.claims.end() ? nullptr : &*found;
}

void allocate(ResourceClaim& claim, const Pod& placed, std::vector<TakenDevices>& taken,
              const std::string& name) {
  claim.reserved_for.push_back({.name = placed.name, .uid = placed.uid});
  const auto found = std::find_if(taken.begin(), taken.end(),
                                  [&](const TakenDevices& each) { return each.claim == name; });
  if (claim.is_allocated || found == taken.end()) return;
  claim.is_allocated = true;
  claim.devices = std::move(found->devices);
  NodeSelectorTerm here;
  here.fields = {{.key = "metadata.name", .op = "In", .values = {placed.node_name}}};
  claim.node_selector = NodeSelector{std::move(here)};
}

}  // namespace

std::optional<std::vector<TakenDevices>> devices_on(const scheduler::Cluster& cluster,
                                                    const Pod& pod, std::size_t node) {
  std::vector<const ResourceClaim*> open;
  for (const ClaimReference& slot : pod.claim_slots) {
    if (slot.needs_none) continue;
    const ResourceClaim* const claim = cluster.claim(pod.ns, slot.claim);
    if (claim == nullptr || looks_on(*claim)) return std::nullopt;
    if (!claim->is_allocated) open.push_back(claim);
  }
  std::vector<TakenDevices> taken;
  if (open.empty()) return taken;
  scheduler::DeviceAllocator allocator(cluster, cluster.shared<scheduler::DeviceSupply>(), node,
                                       open);
  const bool is_found = allocator.allocate().kind == scheduler::Allocation::Kind::found;
  if (!is_found || allocator.shares_devices()) return std::nullopt;
  for (const ResourceClaim* claim : open) taken.push_back({claim->name, {}});
  for (const auto& [id, claims] : allocator.chosen())
    for (const std::size_t claim : claims) {
      if (!is_of_node(cluster.snapshot(), id, *cluster.nodes()[node].node)) return std::nullopt;
      taken[claim].devices.push_back({.id = id});
    }
  return taken;
}

void take_devices(Snapshot& snapshot, Pod& placed, std::vector<TakenDevices>&& taken) {
  for (ClaimReference& slot : placed.claim_slots) {
    const ResourceClaim* const known = claim_named(snapshot, placed.ns, slot.claim);
    if (known == nullptr) continue;
    const std::string name = slot.claim;
    if (slot.claim_template.empty()) {
      allocate(*claim_named(snapshot, placed.ns, name), placed, taken, name);
      continue;
    }
    ResourceClaim own = *known;
    own.name = fmt::format("{}-{}", placed.name, slot.name);
    own.uid = fmt::format("{}/{}", placed.uid, slot.name);
    own.owner_uid = placed.uid;
    own.reserved_for.clear();
    allocate(own, placed, taken, name);
    slot.claim = own.name;
    std::replace(placed.claims.begin(), placed.claims.end(), name, own.name);
    insert_planned(snapshot.claims, std::move(own));
  }
}

}  // namespace gpu::plan
