#include "scheduler/cluster/cluster.hpp"

#include <algorithm>
#include <tuple>

#include "base/quantity.hpp"
#include "model/snapshot/requests.hpp"
#include "scheduler/cluster/amounts.hpp"
#include "scheduler/cluster/rules.hpp"

namespace gpu::scheduler {
namespace {

/// Null where a sorted list has no such name.
template <class Object>
const Object* named(const std::vector<Object>& sorted, std::string_view name) {
  const auto found =
      std::lower_bound(sorted.begin(), sorted.end(), name,
                       [](const Object& each, std::string_view key) { return each.name < key; });
  return found != sorted.end() && found->name == name ? &*found : nullptr;
}

template <class Object>
const Object* named(const std::vector<Object>& sorted, std::string_view ns, std::string_view name) {
  const auto key = std::tie(ns, name);
  const auto found =
      std::lower_bound(sorted.begin(), sorted.end(), key, [](const Object& each, const auto& it) {
        return std::tuple<std::string_view, std::string_view>(each.ns, each.name) < it;
      });
  return found != sorted.end() && found->ns == ns && found->name == name ? &*found : nullptr;
}

/// Whether the gate of DRA is on, which it is not by default before 1.34: the API server then has
/// no such objects, and takes claims out of pods.
bool uses_devices(const Snapshot& snapshot) {
  return !snapshot.slices.empty() || !snapshot.claims.empty() || !snapshot.device_classes.empty() ||
         std::any_of(snapshot.pods.begin(), snapshot.pods.end(),
                     [](const Pod& pod) { return !pod.claim_slots.empty(); });
}

/// By whose rules pods of this cluster are judged.
std::unique_ptr<const Rules> rules_of(const Snapshot& snapshot, const SchedulerVersion& version) {
  Rules rules = rules_for(version.text);
  if (uses_devices(snapshot)) rules.has_devices = true;
  return std::make_unique<const Rules>(rules);
}

}  // namespace

Cluster::Cluster(const Snapshot& snapshot)
    : snapshot_(snapshot),
      version_(scheduler_version(snapshot)),
      rules_(rules_of(snapshot_, version_)) {
  number("cpu");
  number("memory");
  number("ephemeral-storage");
  nodes_.reserve(snapshot.nodes.size());
  for (const Node& node : snapshot.nodes) add_node(node);
  for (const Pod& pod : snapshot.pods) add_pod(pod);
  sum_up();
}

Cluster::~Cluster() = default;

void Cluster::add_node(const Node& node) {
  NodeState state{.node = &node};
  state.allowed_pods = amount_of(node.allocatable, "pods").value();
  for (const auto& [name, amount] : node.allocatable)
    if (is_compared(name)) number(name);
  by_name_.emplace(node.name, nodes_.size());
  nodes_.push_back(std::move(state));
}

void Cluster::add_pod(const Pod& pod) {
  if (is_finished(pod)) return;
  const bool is_bound = !pod.node_name.empty();
  // A pod that waits may ask for what no node has: that has a number, too.
  if (!is_bound)
    for (const auto& [name, amount] : effective_requests(pod, rules_->requests))
      if (is_compared(name)) number(name);
  const std::optional<std::size_t> at = node_named(is_bound ? pod.node_name : pod.nominated_node);
  if (!at) return;
  NodeState& node = nodes_[*at];
  if (!is_bound) {
    // The queue nominates only what its gates let through.
    if (pod.scheduling_gates.empty()) node.nominated.push_back(bound(pod));
    return;
  }
  node.pods.push_back(bound(pod));
}

/// All in one piece, now that all resources have numbers: each judgement of a pod walks over it.
void Cluster::sum_up() {
  const std::size_t count = resources_.size();
  amounts_.resize(2 * count * nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    NodeState& node = nodes_[i];
    const std::span allocatable = std::span(amounts_).subspan(2 * count * i, count);
    const std::span requested = std::span(amounts_).subspan(2 * count * i + count, count);
    for (const auto& [name, amount] : node.node->allocatable)
      if (is_compared(name)) allocatable[number(name)] = compared_amount(name, amount);
    for (const BoundPod& pod : node.pods)
      for (const Amount& amount : pod.requests)
        requested[amount.resource] = capped_sum(requested[amount.resource], amount.value);
    node.allocatable = allocatable;
    node.requested = requested;
  }
}

/// Adds what the pod requests to the sums of the node, or takes it away.
void Cluster::count(std::size_t node, const BoundPod& pod, std::int64_t sign) {
  const std::size_t count = resources_.size();
  const std::span requested = std::span(amounts_).subspan(2 * count * node + count, count);
  for (const Amount& amount : pod.requests)
    requested[amount.resource] = capped_sum(requested[amount.resource], sign * amount.value);
}

void Cluster::bind(const Pod& pod) {
  const std::optional<std::size_t> at = node_named(pod.node_name);
  if (!at) return;
  BoundPod made{.pod = &pod, .priority = pod.priority.value_or(0)};
  for (const auto& [name, amount] : effective_requests(pod, rules_->requests)) {
    const std::optional<ResourceId> known = resource(name);
    const std::int64_t value = known ? compared_amount(name, amount) : 0;
    if (value != 0) made.requests.push_back({*known, value});
  }
  count(*at, made, 1);
  nodes_[*at].pods.push_back(std::move(made));
  forget_shared(pod);
}

void Cluster::unbind(const Pod& pod) {
  const std::optional<std::size_t> at = node_named(pod.node_name);
  if (!at) return;
  std::vector<BoundPod>& pods = nodes_[*at].pods;
  const auto found = std::find_if(pods.begin(), pods.end(),
                                  [&](const BoundPod& each) { return each.pod == &pod; });
  if (found == pods.end()) return;
  count(*at, *found, -1);
  pods.erase(found);
  forget_shared(pod);
}

void Cluster::forget_shared(const Pod& pod) {
  std::erase_if(shared_, [&](const auto& each) {
    return each.second.counts == nullptr || each.second.counts(pod);
  });
}

BoundPod Cluster::bound(const Pod& pod) {
  BoundPod made{.pod = &pod, .priority = pod.priority.value_or(0)};
  for (const auto& [name, amount] : effective_requests(pod, rules_->requests)) {
    if (!is_compared(name)) continue;
    if (const std::int64_t value = compared_amount(name, amount); value != 0)
      made.requests.push_back({number(name), value});
  }
  return made;
}

ResourceId Cluster::number(std::string_view name) {
  if (const auto known = numbers_.find(name); known != numbers_.end()) return known->second;
  const auto next = static_cast<ResourceId>(resources_.size());
  resources_.emplace_back(name);
  numbers_.emplace(name, next);
  return next;
}

std::optional<std::size_t> Cluster::node_named(std::string_view name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return std::nullopt;
  return found->second;
}

std::optional<ResourceId> Cluster::resource(std::string_view name) const {
  const auto found = numbers_.find(name);
  if (found == numbers_.end()) return std::nullopt;
  return found->second;
}

const StringMap* Cluster::namespace_labels(std::string_view ns) const {
  const Namespace* const found = named(snapshot_.scheduling.namespaces, ns);
  return found == nullptr ? nullptr : &found->labels;
}

const PersistentVolumeClaim* Cluster::volume_claim(std::string_view ns,
                                                   std::string_view name) const {
  return named(snapshot_.scheduling.volume_claims, ns, name);
}

const PersistentVolume* Cluster::volume(std::string_view name) const {
  return named(snapshot_.scheduling.volumes, name);
}

const StorageClass* Cluster::storage_class(std::string_view name) const {
  return named(snapshot_.scheduling.storage_classes, name);
}

const CsiNode* Cluster::csi_node(std::string_view name) const {
  return named(snapshot_.scheduling.csi_nodes, name);
}

const ResourceClaim* Cluster::claim(std::string_view ns, std::string_view name) const {
  return named(snapshot_.claims, ns, name);
}

const DeviceClass* Cluster::device_class(std::string_view name) const {
  return named(snapshot_.device_classes, name);
}

}  // namespace gpu::scheduler
