#include "scheduler/devices/dynamic_resources.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "scheduler/cluster/rules.hpp"
#include "scheduler/devices/allocator.hpp"
#include "scheduler/devices/binding.hpp"
#include "scheduler/devices/extended_resource.hpp"
#include "scheduler/devices/release.hpp"
#include "scheduler/devices/shortage.hpp"

namespace gpu::scheduler {
namespace {

bool sees_claims(const Cluster& cluster) {
  return cluster.snapshot().claim_coverage == Coverage::whole;
}
bool sees_classes(const Cluster& cluster) {
  return !cluster.snapshot().device_classes.empty() ||
         coverage_of(cluster.snapshot().scheduling, "deviceclasses") == Coverage::whole;
}
bool sees_slices(const Cluster& cluster) {
  return cluster.snapshot().slice_coverage == Coverage::whole;
}

/// foreachPodResourceClaim: why the claim of a slot cannot be used; nothing where it can, and in
/// `claim` what it is, null where none is needed.
std::optional<std::string> mistake_in(const Cluster& cluster, const Pod& pod,
                                      const ClaimReference& slot, const ResourceClaim*& claim) {
  if (slot.needs_none) return std::nullopt;
  const bool is_made = !slot.claim_template.empty();
  if (is_made && slot.claim.empty())
    return "pod \"" + pod.ns + "/" + pod.name + "\": ResourceClaim not created yet";
  claim = cluster.claim(pod.ns, slot.claim);
  if (claim == nullptr) return "resourceclaim.resource.k8s.io \"" + slot.claim + "\" not found";
  if (claim->deleted) return "resourceclaim \"" + claim->name + "\" is being deleted";
  if (is_made && (claim->owner_uid.empty() || claim->owner_uid != pod.uid))
    return "ResourceClaim " + claim->ns + "/" + claim->name + " was not created for Pod " + pod.ns +
           "/" + pod.name + " (Pod is not owner)";
  return std::nullopt;
}

/// The first class that is not there, as the scheduler says it.
std::optional<std::string> missing_class(const Cluster& cluster, const ResourceClaim& claim) {
  const auto check = [&](const DeviceRequest& request,
                         const std::string& name) -> std::optional<std::string> {
    if (cluster.device_class(request.device_class) != nullptr) return std::nullopt;
    return "request " + name + ": device class " + request.device_class + " does not exist";
  };
  for (const DeviceRequest& request : claim.requests) {
    for (const DeviceRequest& each : request.alternatives)
      if (auto mistake = check(each, request.name + "/" + each.name)) return mistake;
    if (request.alternatives.empty())
      if (auto mistake = check(request, request.name)) return mistake;
  }
  return std::nullopt;
}

/// As many pods as may share a claim do, and this one is not among them.
bool is_full(const ResourceClaim& claim, const Pod& pod) {
  constexpr std::size_t kMostUsers = 256;  // ResourceClaimReservedForMaxSize
  return claim.reserved_for.size() >= kMostUsers &&
         std::none_of(claim.reserved_for.begin(), claim.reserved_for.end(),
                      [&](const ClaimUser& user) { return user.uid == pod.uid; });
}

bool reaches_node(const ResourceClaim& claim, const Node& node) {
  return !claim.node_selector || matches(*claim.node_selector, node);
}

}  // namespace

struct DynamicResources::State {
  State(const Cluster& of_cluster, const Pod& of_pod, const EndedPods& ended)
      : cluster(of_cluster), pod(of_pod), extended(of_cluster, of_pod) {
    if (!ended.empty() && (!pod.claim_slots.empty() || extended.are_mapped()))
      released = ReleasedClaims(cluster, ended);
    find_claims();
    if (!before.refusal && before.not_checked.empty()) check_classes();
    const bool is_needed = !claims.empty() || extended.are_mapped();
    before.skips = !before.refusal && (!is_needed || !before.not_checked.empty());
    if (!before.skips && !released.empty())
      own_supply = std::make_unique<const DeviceSupply>(cluster, released);
  }

  [[nodiscard]] const DeviceSupply& supply() const {
    return own_supply ? *own_supply : cluster.shared<DeviceSupply>();
  }
  [[nodiscard]] bool is_allocated(const ResourceClaim& claim) const {
    return claim.is_allocated && !released.contains(claim);
  }

  void refuse(std::string message) {
    before.refusal = {Rejection::unresolvable, std::move(message)};
  }

  void find_claims() {
    for (const ClaimReference& slot : pod.claim_slots) {
      const ResourceClaim* claim = nullptr;
      std::optional<std::string> mistake = mistake_in(cluster, pod, slot, claim);
      if (mistake && claim == nullptr && !slot.claim.empty() && !sees_claims(cluster)) {
        before.lacks("resourceclaims", "ResourceClaim " + slot.claim);
        continue;
      }
      if (!mistake && claim != nullptr && released.is_deleted(*claim))
        mistake = "resourceclaim.resource.k8s.io \"" + slot.claim + "\" not found";
      if (mistake) {
        refuse(std::move(*mistake));
        // PreEnqueue looks for the same mistakes.
        before.refusal->is_before_queue = claim == nullptr || !released.is_deleted(*claim);
        return;
      }
      if (claim != nullptr) claims.push_back(claim);
    }
  }

  void check_classes() {
    for (const ResourceClaim* claim : claims) {
      if (is_allocated(*claim)) {
        if (is_full(*claim, pod)) return refuse("resourceclaim in use");
        if (binding_of(*claim) == Binding::not_known)
          unsure.push_back("how long claim " + claim->name + " waits for its devices");
        continue;
      }
      std::optional<std::string> mistake = missing_class(cluster, *claim);
      if (mistake && sees_classes(cluster)) return refuse(std::move(*mistake));
      if (mistake) before.lacks("deviceclasses", "DeviceClasses of claim " + claim->name);
    }
    const bool has_to_allocate =
        extended.are_mapped() || std::any_of(claims.begin(), claims.end(), [&](const auto* claim) {
          return !is_allocated(*claim);
        });
    if (!has_to_allocate) return;
    if (!sees_slices(cluster)) before.lacks("resourceslices", "devices: no ResourceSlices");
    if (!sees_claims(cluster)) before.lacks("resourceclaims", "devices: no ResourceClaims");
  }

  [[nodiscard]] bool is_active() const { return !before.skips && !before.refusal; }

  /// Claims that are still to be allocated; `made` holds the one for extended resources.
  [[nodiscard]] std::vector<const ResourceClaim*> to_allocate(
      const Node& node, std::optional<ResourceClaim>& made) const {
    std::vector<const ResourceClaim*> open;
    for (const ResourceClaim* claim : claims)
      if (!is_allocated(*claim)) open.push_back(claim);
    if (!extended.are_mapped()) return open;
    made = extended.claim_for(extended.on(node).resources);
    if (!made->requests.empty()) open.push_back(&*made);
    return open;
  }

  /// What the filter says before it looks for devices; nothing where it goes on.
  [[nodiscard]] std::optional<std::string> says_of_extended(const Node& node) const {
    if (!extended.are_mapped()) return std::nullopt;
    const ResourceClaim* made = extended.made_claim();
    if (made != nullptr && !made->requests.empty())
      return "cannot schedule extended resource claim";
    if (!extended.on(node).can_fit) return "cannot fit resource";
    return std::nullopt;
  }

  /// Whether an allocated claim can be used on the node: not elsewhere, and not one whose devices
  /// never became ready.
  [[nodiscard]] bool is_available(const ResourceClaim& claim, const Node& node) const {
    return reaches_node(claim, node) && binding_of(claim) != Binding::given_up;
  }

  /// Claims that wait for their devices longer than can be told.
  [[nodiscard]] Binding binding_of(const ResourceClaim& claim) const {
    if (!has_new_device_features(cluster.rules())) return Binding::ready;
    return binding_state(claim, cluster.snapshot().taken_at);
  }

  [[nodiscard]] bool misses_claim(const Node& node) const {
    return std::any_of(claims.begin(), claims.end(), [&](const ResourceClaim* claim) {
      return is_allocated(*claim) && !is_available(*claim, node);
    });
  }

  const Cluster& cluster;
  const Pod& pod;
  ExtendedResources extended;
  ReleasedClaims released;
  std::unique_ptr<const DeviceSupply> own_supply;  ///< where something is released
  PreFilterResult before;
  std::vector<const ResourceClaim*> claims;  ///< of spec.resourceClaims
  std::vector<std::string> unsure;           ///< what could not be found out of them
};

DynamicResources::DynamicResources(const Cluster& cluster, const Pod& pod, const EndedPods& ended)
    : state_(std::make_unique<const State>(cluster, pod, ended)) {}
DynamicResources::DynamicResources(DynamicResources&&) noexcept = default;
DynamicResources::~DynamicResources() = default;

PreFilterResult DynamicResources::before() const { return state_->before; }

bool DynamicResources::serves(std::string_view resource) const {
  return state_->cluster.shared<DeviceSupply>().class_for(resource) != nullptr;
}

bool DynamicResources::has_claims() const {
  return !state_->before.refusal && (!state_->claims.empty() || state_->extended.are_mapped());
}

bool DynamicResources::has_made_claim() const {
  return !state_->before.refusal && state_->extended.are_mapped() &&
         state_->extended.made_claim() != nullptr;
}

void DynamicResources::ask(const NodeView& view, Findings& findings) const {
  if (!state_->is_active()) return;
  const Node& node = *view.state.node;
  if (std::optional<std::string> says = state_->says_of_extended(node)) {
    findings.refuse(Rejection::unresolvable, *says);
    return;
  }
  std::optional<ResourceClaim> made;
  const std::vector<const ResourceClaim*> open = state_->to_allocate(node, made);
  if (!open.empty()) {
    const Allocation allocation =
        DeviceAllocator(state_->cluster, state_->supply(), view.index, open).allocate();
    switch (allocation.kind) {
      case Allocation::Kind::found:
        break;
      case Allocation::Kind::none:
        if (!allocation.text.empty()) findings.leave_open(allocation.text);
        findings.refuse(Rejection::unresolvable, "cannot allocate all claims");
        return;
      case Allocation::Kind::bad_pools:
        findings.refuse(Rejection::unresolvable, "invalid resource pools were encountered");
        return;
      case Allocation::Kind::error:
        findings.abort(allocation.text);
        return;
      case Allocation::Kind::not_checked:
        findings.leave_open(allocation.text);
        return;
    }
  }
  for (const std::string& what : state_->unsure) findings.leave_open(what);
  if (state_->misses_claim(node))
    findings.refuse(Rejection::unresolvable, "resourceclaim not available on the node");
}

bool DynamicResources::may_deallocate(const NodeView& view) const {
  if (!state_->is_active()) return false;
  Findings findings(Filter::dynamic_resources);
  ask(view, findings);
  const bool says_so =
      std::any_of(findings.found().begin(), findings.found().end(), [&](const auto& each) {
        return findings.text(each) == "resourceclaim not available on the node";
      });
  if (!says_so) return false;
  const std::string& uid = state_->pod.uid;
  return std::any_of(state_->claims.begin(), state_->claims.end(), [&](const ResourceClaim* claim) {
    if (!state_->is_allocated(*claim) || state_->is_available(*claim, *view.state.node))
      return false;
    if (claim->is_reserved_for_others || claim->reserved_for.size() > 1) return false;
    return claim->reserved_for.empty() || claim->reserved_for.front().uid == uid;
  });
}

std::vector<RequestShortage> DynamicResources::shortages(const NodeView& view) const {
  if (!state_->is_active()) return {};
  std::optional<ResourceClaim> made;
  const std::vector<const ResourceClaim*> open = state_->to_allocate(*view.state.node, made);
  return request_shortages(state_->cluster, state_->supply(), view.index, open);
}

}  // namespace gpu::scheduler
