#include "scheduler/filters/inter_pod_affinity.hpp"

#include <algorithm>
#include <functional>
#include <string_view>
#include <unordered_map>

namespace gpu::scheduler {
namespace {

struct HashOfTerms {
  std::size_t operator()(const Pod* pod) const {
    const std::hash<std::string_view> hash;
    std::size_t sum = hash(pod->ns);
    for (const PodAffinityTerm& term : pod->placement.pod_anti_affinity) {
      sum = sum * 31 + hash(term.topology_key);
      if (!term.selector) continue;
      for (const auto& [key, value] : term.selector->labels)
        sum = sum * 31 + hash(key) * 17 + hash(value);
      for (const Requirement& each : term.selector->expressions)
        for (const std::string& value : each.values) sum = sum * 31 + hash(value);
    }
    return sum;
  }
};
struct SameTerms {
  bool operator()(const Pod* a, const Pod* b) const {
    return a->ns == b->ns && a->placement.pod_anti_affinity == b->placement.pod_anti_affinity;
  }
};

}  // namespace

AntiAffinityPods::AntiAffinityPods(const Cluster& cluster) {
  std::unordered_map<const Pod*, std::size_t, HashOfTerms, SameTerms> known;
  for (std::size_t i = 0; i < cluster.nodes().size(); ++i) {
    for (const BoundPod& bound : cluster.nodes()[i].pods) {
      if (bound.pod->placement.pod_anti_affinity.empty()) continue;
      const auto [at, is_new] = known.try_emplace(bound.pod, groups.size());
      if (is_new) groups.push_back({.pod = bound.pod});
      groups[at->second].nodes.push_back(static_cast<std::uint32_t>(i));
      groups[at->second].last_on[static_cast<std::uint32_t>(i)] = bound.pod;
    }
  }
}

InterPodAffinity::InterPodAffinity(const Overlay& overlay, const Pod& pod)
    : overlay_(overlay), pod_(pod) {
  const Cluster& cluster = overlay.cluster();
  if (const StringMap* const labels = cluster.namespace_labels(pod.ns)) namespace_labels_ = *labels;
  for (const PodAffinityTerm& term : pod.placement.pod_affinity)
    affinity_.push_back({{cluster, term, pod.ns}, counts_of(term.topology_key)});
  for (const PodAffinityTerm& term : pod.placement.pod_anti_affinity)
    anti_affinity_.push_back({{cluster, term, pod.ns}, counts_of(term.topology_key)});
  count_existing();
  if (!affinity_.empty() || !anti_affinity_.empty()) count_own();
  const bool is_any_existing =
      std::any_of(existing_.begin(), existing_.end(), [](const Counts& counts) {
        return std::any_of(counts.by_value.begin(), counts.by_value.end(),
                           [](std::int64_t pods) { return pods != 0; });
      });
  skips_ = !is_any_existing && affinity_.empty() && anti_affinity_.empty();
  if (coverage_of(cluster.snapshot().scheduling, "namespaces") != Coverage::whole)
    lacks_namespaces_ = lacks_labels_for_own() || lacks_labels_for_others();
  may_miss_wanted_ = may_miss_wanted();
}

bool InterPodAffinity::may_miss_wanted() const {
  const Coverage pods = overlay_.cluster().snapshot().pod_coverage;
  return std::any_of(
      pod_.placement.pod_affinity.begin(), pod_.placement.pod_affinity.end(),
      [&](const PodAffinityTerm& term) {
        const bool is_of_own_namespace = term.namespaces.empty() && !term.namespace_selector;
        return pods == Coverage::none || (pods == Coverage::partial && !is_of_own_namespace) ||
               (lacks_namespaces_ && selects_by_labels(term));
      });
}

bool InterPodAffinity::lacks_labels_for_own() const {
  const Placement& own = pod_.placement;
  return std::any_of(own.pod_affinity.begin(), own.pod_affinity.end(), selects_by_labels) ||
         std::any_of(own.pod_anti_affinity.begin(), own.pod_anti_affinity.end(), selects_by_labels);
}

bool InterPodAffinity::lacks_labels_for_others() const {
  const Cluster& cluster = overlay_.cluster();
  if (cluster.namespace_labels(pod_.ns) != nullptr) return false;
  const auto has_such_term = [&](const Pod& other) {
    const std::vector<PodAffinityTerm>& terms = other.placement.pod_anti_affinity;
    return std::any_of(terms.begin(), terms.end(), [&](const PodAffinityTerm& term) {
      return hangs_on_labels(term, other.ns, pod_);
    });
  };
  const auto& groups = cluster.shared<AntiAffinityPods>().groups;
  return std::any_of(groups.begin(), groups.end(),
                     [&](const auto& group) { return has_such_term(*group.pod); }) ||
         std::any_of(cluster.nodes().begin(), cluster.nodes().end(), [&](const NodeState& node) {
           return std::any_of(node.nominated.begin(), node.nominated.end(),
                              [&](const BoundPod& each) { return has_such_term(*each.pod); });
         });
}

InterPodAffinity::Counts InterPodAffinity::counts_of(std::string_view topology_key) const {
  const LabelColumn& column = overlay_.cluster().shared<NodeLabels>().column(topology_key);
  return {&column, std::vector<std::int64_t>(column.values.size())};
}

void InterPodAffinity::count_existing() {
  for (const auto& group : overlay_.cluster().shared<AntiAffinityPods>().groups)
    for (const PodAffinityTerm& term : group.pod->placement.pod_anti_affinity) {
      if (!is_about(term, group.pod->ns, pod_, namespace_labels_)) continue;
      Counts* const counts = existing_counts(term.topology_key);
      for (const std::uint32_t node : group.nodes) counts->add(node, 1);
    }
  for (const auto& [node, pods] : overlay_.ended())
    for (const Pod* pod : pods)
      for (const PodAffinityTerm& term : pod->placement.pod_anti_affinity)
        if (is_about(term, pod->ns, pod_, namespace_labels_))
          existing_counts(term.topology_key)->add(node, -1);
}

InterPodAffinity::Counts* InterPodAffinity::existing_counts(std::string_view topology_key) {
  const LabelColumn* const column = &overlay_.cluster().shared<NodeLabels>().column(topology_key);
  const auto [at, is_new] = places_.try_emplace(column, existing_.size());
  if (is_new) existing_.push_back(counts_of(topology_key));
  return &existing_[at->second];
}

bool InterPodAffinity::is_wanted(const Pod& pod) const {
  return !affinity_.empty() && std::all_of(affinity_.begin(), affinity_.end(),
                                           [&](const Term& t) { return t.term.is_about(pod); });
}

void InterPodAffinity::add_own(const PodClass& pods, std::int64_t sign) {
  if (is_wanted(*pods.pod)) {
    for (Term& each : affinity_) {
      for (const PodClass::Place& place : pods.places) {
        each.counts.add(place.node, sign * place.pods);
        if (each.counts.column->value_of[place.node] != 0) affinity_total_ += sign * place.pods;
      }
    }
  }
  for (Term& each : anti_affinity_)
    if (each.term.is_about(*pods.pod))
      for (const PodClass::Place& place : pods.places)
        each.counts.add(place.node, sign * place.pods);
}

void InterPodAffinity::count_own() {
  for (const PodClass& each : overlay_.cluster().shared<PodClasses>().all()) add_own(each, 1);
  for (const auto& [node, pods] : overlay_.ended())
    for (const Pod* pod : pods)
      add_own({.pod = pod, .places = {{.node = static_cast<std::uint32_t>(node), .pods = 1}}}, -1);
}

std::vector<InterPodAffinity::Delta> InterPodAffinity::deltas(const NodeView& node) const {
  std::vector<Delta> found;
  for (const Pod* pod : node.gone)
    if (!overlay_.has_ended(pod)) found.push_back({pod, -1});
  for (const BoundPod* pod : node.extra) found.push_back({pod->pod, 1});
  return found;
}

bool InterPodAffinity::lets_affinity(const NodeView& node, const std::vector<Delta>& deltas) const {
  if (affinity_.empty()) return true;
  std::int64_t change = 0;
  for (const Delta& delta : deltas)
    if (is_wanted(*delta.pod)) change += delta.sign;
  bool is_there = true;
  std::int64_t total = affinity_total_;
  for (const Term& each : affinity_) {
    const std::uint32_t value = each.counts.column->value_of[node.index];
    if (value == 0) return false;
    total += change;
    if (each.counts.by_value[value] + change <= 0) is_there = false;
  }
  // The first of a group whose pods want each other may start anywhere.
  return is_there || (total == 0 && is_wanted(pod_));
}

bool InterPodAffinity::lets_anti_affinity(const NodeView& node,
                                          const std::vector<Delta>& deltas) const {
  return std::none_of(anti_affinity_.begin(), anti_affinity_.end(), [&](const Term& each) {
    const std::uint32_t value = each.counts.column->value_of[node.index];
    if (value == 0) return false;
    std::int64_t pods = each.counts.by_value[value];
    for (const Delta& delta : deltas)
      if (each.term.is_about(*delta.pod)) pods += delta.sign;
    return pods > 0;
  });
}

bool InterPodAffinity::lets_existing(const NodeView& node, const std::vector<Delta>& deltas) const {
  std::unordered_map<const LabelColumn*, std::int64_t> changes;
  for (const Delta& delta : deltas)
    for (const PodAffinityTerm& term : delta.pod->placement.pod_anti_affinity)
      if (is_about(term, delta.pod->ns, pod_, namespace_labels_))
        changes[&overlay_.cluster().shared<NodeLabels>().column(term.topology_key)] += delta.sign;
  for (const Counts& counts : existing_) {
    const std::uint32_t value = counts.column->value_of[node.index];
    std::int64_t pods = counts.by_value[value];
    if (const auto change = changes.find(counts.column); change != changes.end()) {
      pods += change->second;
      changes.erase(change);
    }
    if (value != 0 && pods > 0) return false;
  }
  // Nominated pods may bring a topology key that no pod on a node has.
  return std::none_of(changes.begin(), changes.end(), [&](const auto& change) {
    return change.first->value_of[node.index] != 0 && change.second > 0;
  });
}

PreFilterResult InterPodAffinity::before() const {
  PreFilterResult result{.skips = skips_};
  if (lacks_namespaces_) result.lacks("namespaces", "namespaces' labels");
  return result;
}

void InterPodAffinity::ask(const NodeView& node, Findings& findings) const {
  if (skips_) return;
  const std::vector<Delta> changes = deltas(node);
  if (!may_miss_wanted_ && !lets_affinity(node, changes)) {
    findings.refuse(Rejection::unresolvable, "node(s) didn't match pod affinity rules");
  } else if (!lets_anti_affinity(node, changes)) {
    findings.refuse(Rejection::unschedulable, "node(s) didn't match pod anti-affinity rules");
  } else if (!lets_existing(node, changes)) {
    findings.refuse(Rejection::unschedulable,
                    "node(s) didn't satisfy existing pods anti-affinity rules");
  }
}

}  // namespace gpu::scheduler
