#include "scheduler/filters/pod_topology_spread.hpp"

#include <algorithm>
#include <limits>

#include "scheduler/cluster/node_labels.hpp"
#include "scheduler/cluster/pod_classes.hpp"

namespace gpu::scheduler {
namespace {

/// No domain counts: upstream's critical paths start here.
constexpr std::int64_t kNoDomain = std::numeric_limits<std::int32_t>::max();

/// A selector with nothing in it matches every pod one by one, yet upstream's sum over a node's
/// pods is 0 for it.
bool is_empty(const std::optional<ObjectSelector>& selector) {
  return selector && selector->labels.empty() && selector->expressions.empty();
}

}  // namespace

PodTopologySpread::PodTopologySpread(const Overlay& overlay, const Pod& pod,
                                     const NodeAffinity& affinity, const TaintToleration& taints)
    : overlay_(overlay), pod_(pod), affinity_(affinity), taints_(taints) {
  for (const TopologySpread& rule : pod.placement.spread)
    if (rule.when_unsatisfiable == "DoNotSchedule") constraints_.push_back(prepared(rule));
  for (Constraint& constraint : constraints_) count(constraint);
}

PodTopologySpread::Constraint PodTopologySpread::prepared(const TopologySpread& rule) const {
  Constraint made{.rule = &rule, .selector = rule.selector};
  made.column = &overlay_.cluster().shared<NodeLabels>().column(rule.topology_key);
  if (made.selector)
    for (const std::string& key : rule.match_label_keys)
      if (const std::string* const value = pod_.labels.find(key))
        made.selector->expressions.push_back({key, "In", {*value}});
  made.matches_self = made.selector && matches(*made.selector, pod_.labels);
  return made;
}

bool PodTopologySpread::has_all_keys(std::size_t node) const {
  return std::all_of(constraints_.begin(), constraints_.end(),
                     [&](const Constraint& each) { return each.column->value_of[node] != 0; });
}

void PodTopologySpread::count(Constraint& constraint) const {
  const LabelColumn& column = *constraint.column;
  const bool honors_affinity = constraint.rule->node_affinity_policy != "Ignore";
  const bool honors_taints = constraint.rule->node_taints_policy == "Honor";
  constraint.is_counted.resize(column.value_of.size());
  constraint.is_domain.resize(column.values.size());
  constraint.counts.resize(column.values.size());
  for (std::size_t i = 0; i < column.value_of.size(); ++i) {
    const bool counts = has_all_keys(i) && (!honors_affinity || affinity_.matches(i)) &&
                        (!honors_taints || taints_.is_tolerated(i));
    if (!counts) continue;
    constraint.is_counted[i] = 1;
    char& is_domain = constraint.is_domain[column.value_of[i]];
    if (is_domain == 0) ++constraint.domains;
    is_domain = 1;
  }
  if (!is_empty(constraint.selector)) count_pods(constraint);

  constraint.least = constraint.second_least = kNoDomain;
  for (std::uint32_t value = 1; value < constraint.counts.size(); ++value) {
    if (constraint.is_domain[value] == 0) continue;
    if (constraint.counts[value] < constraint.least) {
      constraint.second_least = constraint.least;
      constraint.least = constraint.counts[value];
      constraint.least_value = value;
    } else {
      constraint.second_least = std::min(constraint.second_least, constraint.counts[value]);
    }
  }
}

void PodTopologySpread::count_pods(Constraint& constraint) const {
  if (!constraint.selector) return;
  const LabelColumn& column = *constraint.column;
  const auto add = [&](std::size_t node, std::int64_t pods) {
    if (constraint.is_counted[node] != 0) constraint.counts[column.value_of[node]] += pods;
  };
  const PodClasses& classes = overlay_.cluster().shared<PodClasses>();
  for (const std::uint32_t at : classes.in(pod_.ns)) {
    const PodClass& each = classes.all()[at];
    if (!matches(*constraint.selector, each.pod->labels)) continue;
    for (const PodClass::Place& place : each.places)
      add(place.node, place.pods - place.terminating);
  }
  for (const auto& [node, pods] : overlay_.ended())
    for (const Pod* pod : pods)
      if (pod->ns == pod_.ns && !pod->deleted && matches(*constraint.selector, pod->labels))
        add(node, -1);
}

/// What taking pods away and adding pods does to the count of the node's domain. Here upstream
/// does not look at whether a pod terminates.
std::int64_t PodTopologySpread::change_at(const Constraint& constraint,
                                          const NodeView& node) const {
  if (!constraint.selector || constraint.is_counted[node.index] == 0) return 0;
  const auto counts = [&](const Pod& pod) {
    return pod.ns == pod_.ns && matches(*constraint.selector, pod.labels);
  };
  std::int64_t change = 0;
  for (const Pod* pod : node.gone)
    if (counts(*pod) && !overlay_.has_ended(pod)) --change;
  for (const BoundPod* pod : node.extra)
    if (counts(*pod->pod)) ++change;
  return change;
}

bool PodTopologySpread::is_too_skewed(const Constraint& constraint, const NodeView& node) const {
  if (overlay_.cluster().snapshot().pod_coverage == Coverage::none) return false;  // not known
  const std::uint32_t value = constraint.column->value_of[node.index];
  const std::int64_t change = change_at(constraint, node);
  const std::int64_t here = constraint.counts[value] + change;
  std::int64_t least = constraint.least;
  if (change != 0)
    least = std::min(here, value == constraint.least_value ? constraint.second_least : least);
  if (constraint.domains < constraint.rule->min_domains.value_or(1)) least = 0;
  return here + (constraint.matches_self ? 1 : 0) - least > constraint.rule->max_skew;
}

/// The first constraint that the node lacks the label of, or would skew too much.
const PodTopologySpread::Constraint* PodTopologySpread::broken(const NodeView& node) const {
  for (const Constraint& constraint : constraints_)
    if (constraint.column->value_of[node.index] == 0 || is_too_skewed(constraint, node))
      return &constraint;
  return nullptr;
}

void PodTopologySpread::ask(const NodeView& node, Findings& findings) const {
  const Constraint* const constraint = broken(node);
  if (constraint == nullptr) return;
  if (constraint->column->value_of[node.index] == 0)
    findings.refuse(
        Rejection::unresolvable,
        "node(s) didn't match pod topology spread constraints (missing required label)");
  else
    findings.refuse(Rejection::unschedulable,
                    "node(s) didn't match pod topology spread constraints");
}

std::optional<SpreadBreach> PodTopologySpread::breach(const NodeView& node) const {
  const Constraint* const constraint = broken(node);
  if (constraint == nullptr) return std::nullopt;
  SpreadBreach made{.rule = constraint->rule, .domains = constraint->domains};
  const std::uint32_t here = constraint->column->value_of[node.index];
  if (here == 0) return made;
  made.here = constraint->column->values[here];
  made.pods = constraint->counts[here] + change_at(*constraint, node);
  made.fewest = constraint->least;
  for (std::uint32_t value = 1; value < constraint->counts.size(); ++value)
    if (constraint->is_domain[value] != 0 && constraint->counts[value] == made.fewest)
      made.emptiest.push_back(constraint->column->values[value]);
  return made;
}

}  // namespace gpu::scheduler
