#include "diagnose/nodes/selector_cause.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "model/objects/selector_text.hpp"

namespace gpu::diagnose {
namespace {

/// What every node must have: the node selector, and the one term of an affinity that has no other.
std::vector<Requirement> requirements_of(const Pod& pod) {
  std::vector<Requirement> all;
  for (const auto& [key, value] : pod.node_selector) all.push_back({key, "In", {value}});
  if (const auto& affinity = pod.placement.node_affinity; affinity && affinity->size() == 1)
    all.insert(all.end(), affinity->front().expressions.begin(),
               affinity->front().expressions.end());
  return all;
}

/// "the label a=b", "a label rack", "labels with zone in (a,b)".
std::string label_text(const Requirement& requirement) {
  if (requirement.op == "In" && requirement.values.size() == 1)
    return "the label " + text_of(requirement);
  if (requirement.op == "Exists") return "the label " + requirement.key;
  return "labels with " + text_of(requirement);
}

}  // namespace

Cause selector_cause(const scheduler::Cluster& cluster, const Pod& pod) {
  Cause cause{.code = Code::node_selector_mismatch,
              .summary = "no node has the labels that the pod selects"};
  const std::vector<Requirement> requirements = requirements_of(pod);
  for (const Requirement& each : requirements) {
    const bool is_anywhere = std::any_of(
        cluster.nodes().begin(), cluster.nodes().end(),
        [&](const scheduler::NodeState& state) { return holds(each, state.node->labels); });
    if (is_anywhere) continue;
    cause.summary = "no node has " + label_text(each);
    cause.nearest = cause.summary;
    return cause;
  }
  std::string all;
  for (const Requirement& each : requirements) all += (all.empty() ? "" : ", ") + text_of(each);
  if (requirements.size() > 1) {
    cause.summary = "no node has all labels that the pod selects: " + all;
    return cause;
  }
  const auto& affinity = pod.placement.node_affinity;
  if (!affinity) return cause;
  std::string terms;
  for (const NodeSelectorTerm& term : *affinity)
    terms += (terms.empty() ? "" : ", or ") + text_of(term);
  if (!terms.empty()) cause.summary = "no node meets the pod's node affinity: " + terms;
  return cause;
}

}  // namespace gpu::diagnose
