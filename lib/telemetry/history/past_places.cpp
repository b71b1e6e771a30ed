#include "telemetry/history/past_places.hpp"

#include <algorithm>
#include <utility>

#include "model/snapshot/workload.hpp"
#include "telemetry/history/told_labels.hpp"
#include "telemetry/prometheus/series.hpp"

namespace gpu::telemetry {
namespace {

constexpr std::string_view kJob = "Job";
constexpr std::string_view kReplicaSet = "ReplicaSet";

OwnerReference reference(const Owner& owner) {
  return {.kind = owner.kind,
          .name = owner.name,
          .uid = owner.uid,
          .api_version = owner.api_version,
          .controller = true};
}

bool has_node(const Snapshot& snapshot, std::string_view name) {
  return std::any_of(snapshot.nodes.begin(), snapshot.nodes.end(),
                     [&](const Node& node) { return node.name == name; });
}

}  // namespace

PastPlaces::Key PastPlaces::key_of(std::string_view kind, std::string_view ns,
                                   std::string_view name) {
  return std::string(kind).append("\n").append(ns).append("\n").append(name);
}

PastPlaces::PastPlaces(const Snapshot& snapshot, const WrittenNames& names,
                       const std::vector<PastPod>& pods, std::string cluster)
    : names_(names), cluster_(std::move(cluster)) {
  add_listed(snapshot);
  std::set<std::string> seen;
  for (const PastPod& pod : pods) {
    for (const OwnerReference& owner : pod.owners)
      if (owner.kind == kJob || owner.kind == kReplicaSet)
        if (Key key = key_of(owner.kind, pod.ns, owner.name); !above_listed_.contains(key))
          above_.try_emplace(std::move(key));
    if (pod.node.empty() || !seen.insert(pod.node).second) continue;
    if (!has_node(snapshot, pod.node)) nodes_[pod.node].name = pod.node;
  }
}

void PastPlaces::add_listed(const Snapshot& snapshot) {
  const auto add = [&](const Pod& pod) {
    for (const OwnerReference& owner : pod.owners)
      if (owner.controller)
        above_listed_.try_emplace(key_of(owner.kind, pod.ns, owner.name),
                                  reference(top_owner(pod, snapshot)));
  };
  for (const Pod& pod : snapshot.pods) add(pod);
  for (const Job& job : snapshot.scheduling.jobs) {
    Pod pod{.ns = job.ns};
    pod.owners.push_back({.kind = std::string(kJob),
                          .name = job.name,
                          .uid = job.uid,
                          .api_version = "batch/v1",
                          .controller = true});
    const auto above = std::find_if(job.owners.begin(), job.owners.end(),
                                    [](const OwnerReference& owner) { return owner.controller; });
    const Owner top = top_owner(pod, snapshot);
    const bool is_unread = top.uid == job.uid && above != job.owners.end();
    above_listed_.try_emplace(key_of(kJob, job.ns, job.name), is_unread ? *above : reference(top));
  }
}

bool PastPlaces::wants(std::string_view kind) const {
  const std::string begin = std::string(kind) + "\n";
  const auto at = above_.lower_bound(begin);
  return at != above_.end() && at->first.starts_with(begin);
}

std::vector<PlaceFact> PastPlaces::wanted() const {
  std::vector<PlaceFact> facts;
  if (wants(kJob)) facts.push_back(PlaceFact::job_owner);
  if (wants(kReplicaSet)) facts.push_back(PlaceFact::replica_set_owner);
  if (!nodes_.empty())
    facts.insert(facts.end(),
                 {PlaceFact::node_labels, PlaceFact::node_info, PlaceFact::node_capacity});
  return facts;
}

void PastPlaces::add(PlaceFact fact, const Series& one) {
  if (cluster_of(one) != cluster_) return;
  if (fact == PlaceFact::job_owner) return add_owner(kJob, "job_name", one);
  if (fact == PlaceFact::replica_set_owner) return add_owner(kReplicaSet, "replicaset", one);
  const auto found = nodes_.find(told(one, "node"));
  if (found == nodes_.end()) return;
  Node& node = found->second;
  if (fact == PlaceFact::node_labels) return add_labels(node, one);
  if (fact == PlaceFact::node_info) {
    const std::string_view id = value_of(one.labels, "provider_id");
    if (!id.empty()) node.provider_id = id;
    return;
  }
  const std::string resource = names_.resource(value_of(one.labels, "resource"));
  constexpr double kMost = 1e6;
  if (resource.empty() || !(one.value > 0) || one.value > kMost) return;
  const Quantity units = Quantity::of(static_cast<std::int64_t>(one.value));
  node.capacity.set(resource, std::max(amount_of(node.capacity, resource), units));
}

void PastPlaces::add_labels(Node& node, const Series& one) const {
  for (const auto& [written, value] : one.labels)
    if (const std::string key = names_.label(written); !key.empty()) node.labels.set(key, value);
}

void PastPlaces::add_owner(std::string_view kind, std::string_view name_label, const Series& one) {
  const auto found =
      above_.find(key_of(kind, told(one, "namespace"), value_of(one.labels, name_label)));
  if (found == above_.end()) return;
  const std::string_view above = told_or_none(one, "owner_kind");
  const std::string_view name = told_or_none(one, "owner_name");
  const bool is_controller = value_of(one.labels, "owner_is_controller") != "false";
  if (above.empty() || name.empty() || !is_controller) return;
  found->second.kind = above;
  found->second.name = name;
  found->second.controller = true;
}

void PastPlaces::climb(std::vector<PastPod>& pods) const {
  for (PastPod& pod : pods) {
    if (pod.owners.empty()) continue;
    const Key key = key_of(pod.owners.front().kind, pod.ns, pod.owners.front().name);
    const auto listed = above_listed_.find(key);
    const auto told_of = above_.find(key);
    const OwnerReference* above = nullptr;
    if (listed != above_listed_.end())
      above = &listed->second;
    else if (told_of != above_.end() && !told_of->second.kind.empty())
      above = &told_of->second;
    const bool is_itself = above == nullptr || (above->kind == pod.owners.front().kind &&
                                                above->name == pod.owners.front().name);
    if (!is_itself) pod.owners.push_back(*above);
  }
}

std::vector<Node> PastPlaces::nodes() {
  std::vector<Node> nodes;
  nodes.reserve(nodes_.size());
  for (auto& [name, node] : nodes_) {
    node.allocatable = node.capacity;
    nodes.push_back(std::move(node));
  }
  return nodes;
}

}  // namespace gpu::telemetry
