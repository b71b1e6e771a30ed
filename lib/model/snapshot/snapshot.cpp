#include "model/snapshot/snapshot.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "model/gpu/gpu_resource.hpp"
#include "model/gpu/usual_namespace.hpp"
#include "model/objects/own_kind.hpp"
#include "model/snapshot/card_use.hpp"
#include "model/snapshot/gpu_fraction.hpp"
#include "model/snapshot/requests.hpp"

namespace gpu {
namespace {

/// What the pod takes of the node's own resources: devices that a claim provides are the claim's.
ResourceList requests_of_node(const Pod& pod) {
  ResourceList requests = effective_requests(pod);
  for (const ExtendedResourceMapping& mapping : pod.extended_resources)
    if (requests.contains(mapping.resource)) requests.set(mapping.resource, Quantity{});
  return requests;
}

/// GPUs of which the pod requests a part: each is one.
std::int64_t devices_by_annotation(const Pod& pod) {
  const std::optional<GpuFraction> fraction = gpu_fraction(pod);
  return fraction ? fraction->devices : 0;
}

ControlledShare controlled_share(const Pod& pod, const ResourceList& requests) {
  using Life = ControlledShare::Life;
  ControlledShare share;
  share.gpus = capped_sum(gpu_devices_in(requests), devices_by_annotation(pod));
  if (share.gpus == 0 || pod.deleted) return {};
  share.life = is_finished(pod) ? Life::failed : Life::live;
  const OwnerReference* const controller = controller_of(pod);
  share.uid = controller == nullptr ? pod.uid : controller->uid;
  if (share.life == Life::live) return share;
  share.ns = pod.ns;
  if (controller != nullptr) share.controller = *controller;
  share.created = pod.created.value_or(Time{});
  return share;
}

/// Who may use a GPU without a request: not what a cluster runs on every node.
bool is_plain(const Pod& pod, const ResourceList& requests) {
  const bool is_of_node =
      std::any_of(pod.owners.begin(), pod.owners.end(), [](const OwnerReference& owner) {
        return is_own(owner, "DaemonSet") || is_own(owner, "Node");
      });
  const bool may_hold_gpus =
      pod.claim_references > 0 || !pod.extended_claim.empty() || !pod.annotations.empty() ||
      std::any_of(requests.begin(), requests.end(),
                  [](const auto& entry) { return gpu_resource(entry.first).has_value(); });
  return pod.phase == "Running" && !is_of_node && !may_hold_gpus && !is_usual_namespace(pod.ns);
}

void add_to(PlainPods& sum, const PlainPods& other) {
  sum.count += other.count;
  sum.names.insert(sum.names.end(), other.names.begin(), other.names.end());
  std::sort(sum.names.begin(), sum.names.end());
  if (sum.names.size() > PlainPods::kMostNamed) sum.names.resize(PlainPods::kMostNamed);
}

}  // namespace

PodShare share_of(const Pod& pod) {
  PodShare share;
  if (is_finished(pod) && !failed_before_start(pod)) return share;
  ResourceList requests = requests_of_node(pod);
  share.controlled = controlled_share(pod, requests);
  if (is_finished(pod)) return share;
  if (pod.node_name.empty()) {
    if (!pod.deleted)
      share.waits_for = capped_sum(gpu_devices_in(requests), devices_by_annotation(pod));
    return share;
  }
  share.node = pod.node_name;
  share.sums.pods = 1;
  if (is_plain(pod, requests)) share.sums.plain = {1, {pod.ns + "/" + pod.name}};
  add_card_shares(share.sums.cards, pod, requests);
  share.sums.requested = std::move(requests);
  return share;
}

void add_to(NodeSums& sums, const NodeSums& other) {
  add_to(sums.requested, other.requested);
  sums.pods += other.pods;
  add_to(sums.plain, other.plain);
  for (const auto& [card, use] : other.cards) {
    CardUse& sum = sums.cards[card];
    sum.units = capped_sum(sum.units, use.units);
    sum.memory_mib = capped_sum(sum.memory_mib, use.memory_mib);
    sum.cores = capped_sum(sum.cores, use.cores);
  }
}

void count_controlled(ControlledPodsByUid& pods, const ControlledShare& share) {
  using Life = ControlledShare::Life;
  if (share.life == Life::none) return;
  ControlledPods& of = pods[share.uid];
  if (share.life == Life::live) {
    ++of.live;
    return;
  }
  of.ns = share.ns;
  of.controller = share.controller;
  of.failed.emplace(share.created, share.gpus);
}

void uncount_controlled(ControlledPodsByUid& pods, const ControlledShare& share) {
  using Life = ControlledShare::Life;
  const auto of = pods.find(share.uid);
  if (share.life == Life::none || of == pods.end()) return;
  if (share.life == Life::live)
    --of->second.live;
  else if (const auto failed = of->second.failed.find({share.created, share.gpus});
           failed != of->second.failed.end())
    of->second.failed.erase(failed);
  // Live pods do not say of whom they are.
  if (of->second.failed.empty()) of->second = {.live = of->second.live};
  if (of->second.live == 0 && of->second.failed.empty()) pods.erase(of);
}

Fold::Fold(Snapshot& snapshot, Keep keep) : snapshot_(snapshot), keep_(std::move(keep)) {}

void Fold::add(Node&& node) { snapshot_.nodes.push_back(std::move(node)); }

void Fold::add(const Pod& pod) {
  const PodShare share = share_of(pod);
  if (!share.node.empty()) add_to(snapshot_.sums[share.node], share.sums);
  if (snapshot_.waiting) {
    count_controlled(snapshot_.controlled, share.controlled);
    if (share.waits_for > 0) ++snapshot_.waiting->pods;
    snapshot_.waiting->gpus = capped_sum(snapshot_.waiting->gpus, share.waits_for);
  }
  if (keep_ && keep_(pod)) snapshot_.pods.push_back(pod);
}

void Fold::finish() {
  std::sort(snapshot_.nodes.begin(), snapshot_.nodes.end(),
            [](const Node& a, const Node& b) { return a.name < b.name; });
  std::sort(snapshot_.pods.begin(), snapshot_.pods.end(), [](const Pod& a, const Pod& b) {
    return std::tie(a.ns, a.name) < std::tie(b.ns, b.name);
  });
  const auto by_name = [](const auto& a, const auto& b) { return a.name < b.name; };
  std::sort(snapshot_.slices.begin(), snapshot_.slices.end(), by_name);
  std::sort(snapshot_.device_classes.begin(), snapshot_.device_classes.end(), by_name);
  std::sort(snapshot_.claims.begin(), snapshot_.claims.end(),
            [](const ResourceClaim& a, const ResourceClaim& b) {
              return std::tie(a.ns, a.name) < std::tie(b.ns, b.name);
            });
}

const NodeSums* sums_of(const Snapshot& snapshot, std::string_view node) {
  const auto found = snapshot.sums.find(node);
  return found == snapshot.sums.end() ? nullptr : &found->second;
}

}  // namespace gpu
