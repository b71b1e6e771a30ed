#include "scheduler/filters/node_affinity.hpp"

#include <algorithm>
#include <utility>

namespace gpu::scheduler {
namespace {

/// The names that a term's fields ask for: all `In` of it must hold. Nothing where it asks for
/// none.
std::optional<std::set<std::string>> names_in(const NodeSelectorTerm& term) {
  std::optional<std::set<std::string>> names;
  for (const Requirement& field : term.fields) {
    if (field.key != "metadata.name" || field.op != "In") continue;
    const std::set<std::string> asked(field.values.begin(), field.values.end());
    if (!names) {
      names = asked;
    } else {
      std::erase_if(*names, [&](const std::string& name) { return !asked.contains(name); });
    }
  }
  return names;
}

}  // namespace

NodeAffinity::Test::Test(const Cluster& cluster, Requirement requirement)
    : requirement_(std::move(requirement)),
      column_(cluster.shared<NodeLabels>().column(requirement_.key)),
      known_(column_.values.size(), Known::no) {}

bool NodeAffinity::Test::holds(std::size_t node) const {
  const std::uint32_t value = column_.value_of[node];
  Known& known = known_[value];
  if (known == Known::no) {
    StringMap labels;
    if (value != 0) labels.set(requirement_.key, std::string(column_.values[value]));
    known = gpu::holds(requirement_, labels) ? Known::holds : Known::fails;
  }
  return known == Known::holds;
}

NodeAffinity::NodeAffinity(const Cluster& cluster, const Pod& pod) : cluster_(cluster), pod_(pod) {
  for (const auto& [key, value] : pod.node_selector)
    selector_.emplace_back(cluster, Requirement{key, "In", {value}});
  if (!pod.placement.node_affinity) return;
  for (const NodeSelectorTerm& term : *pod.placement.node_affinity) {
    if (term.expressions.empty() && term.fields.empty()) continue;
    Term made{.fields = {.fields = term.fields}};
    for (const Requirement& each : term.expressions) made.tests.emplace_back(cluster, each);
    terms_.push_back(std::move(made));
  }
}

PreFilterResult NodeAffinity::before() const {
  PreFilterResult result;
  const std::optional<NodeSelector>& affinity = pod_.placement.node_affinity;
  result.skips = !affinity && pod_.node_selector.empty();
  if (!affinity || affinity->empty()) return result;
  std::set<std::string> names;
  for (const NodeSelectorTerm& term : *affinity) {
    std::optional<std::set<std::string>> of_term = names_in(term);
    if (!of_term) return result;  // terms are alternatives: this one may match any node
    names.merge(*of_term);
  }
  if (names.empty()) {
    result.refusal = {.rejection = Rejection::unresolvable,
                      .message = "pod affinity terms conflict"};
    return result;
  }
  result.only.emplace();
  for (const std::string& name : names) {
    if (const auto at = cluster_.node_named(name)) {
      result.only->insert(*at);
    } else {
      result.only_unknown.push_back(name);
    }
  }
  return result;
}

bool NodeAffinity::matches(const Term& term, std::size_t node) const {
  return std::all_of(term.tests.begin(), term.tests.end(),
                     [&](const Test& test) { return test.holds(node); }) &&
         (term.fields.fields.empty() || gpu::matches(term.fields, *cluster_.nodes()[node].node));
}

bool NodeAffinity::matches(std::size_t node) const {
  if (!std::all_of(selector_.begin(), selector_.end(),
                   [&](const Test& test) { return test.holds(node); }))
    return false;
  return !pod_.placement.node_affinity ||
         std::any_of(terms_.begin(), terms_.end(),
                     [&](const Term& term) { return matches(term, node); });
}

void NodeAffinity::ask(const NodeView& node, Findings& findings) const {
  if (!matches(node.index))
    findings.refuse(Rejection::unresolvable, "node(s) didn't match Pod's node affinity/selector");
}

}  // namespace gpu::scheduler
