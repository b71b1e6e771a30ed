#include "diagnose/nodes/affinity_detail.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/gpu/gpu_resource.hpp"
#include "model/objects/selector_text.hpp"
#include "model/snapshot/requests.hpp"
#include "scheduler/cluster/pod_classes.hpp"
#include "scheduler/filters/inter_pod_affinity.hpp"

namespace gpu::diagnose {
namespace {

constexpr std::string_view kHostname = "kubernetes.io/hostname";

/// "pod with app=cache", "pod".
std::string wanted_text(const PodAffinityTerm& term) {
  const std::string what = term.selector ? text_of(*term.selector) : "";
  return what.empty() ? "pod" : "pod with " + what;
}

/// "node", "zone".
std::string_view place_text(const PodAffinityTerm& term) {
  return term.topology_key == kHostname ? "node" : last_part(term.topology_key);
}

/// Calls `visit` with one pod of the class for each node that has any.
template <class Visit>
void each_place(const scheduler::Cluster& cluster, const scheduler::PodClass& pods, Visit visit) {
  for (const scheduler::PodClass::Place& place : pods.places)
    for (const scheduler::BoundPod& bound : cluster.nodes()[place.node].pods)
      if (bound.pod->ns == pods.pod->ns && bound.pod->labels == pods.pod->labels) {
        visit(bound.pod, place.node);
        break;
      }
}

}  // namespace

AffinityDetails::AffinityDetails(const scheduler::Cluster& cluster, const Pod& pod)
    : cluster_(cluster), pod_(pod) {
  find_wanted();
  find_shunned();
  find_shunning();
}

AffinityDetails::Side AffinityDetails::side_of(const PodAffinityTerm& term) const {
  const scheduler::LabelColumn& column =
      cluster_.shared<scheduler::NodeLabels>().column(term.topology_key);
  return {.term = &term, .column = &column, .by_value = std::vector<Found>(column.values.size())};
}

void AffinityDetails::find_wanted() {
  std::vector<scheduler::OwnTerm> terms;
  for (const PodAffinityTerm& term : pod_.placement.pod_affinity) {
    terms.emplace_back(cluster_, term, pod_.ns);
    wanted_.push_back(side_of(term));
  }
  if (terms.empty()) return;
  for (const scheduler::PodClass& each : cluster_.shared<scheduler::PodClasses>().all()) {
    if (!std::all_of(terms.begin(), terms.end(),
                     [&](const scheduler::OwnTerm& term) { return term.is_about(*each.pod); }))
      continue;
    each_place(cluster_, each, [&](const Pod* pod, std::size_t node) {
      all_wanted_.push_back({pod, node});
      for (Side& side : wanted_)
        if (Found& slot = side.by_value[side.column->value_of[node]]; slot.pod == nullptr)
          slot = {pod, node};
    });
  }
}

void AffinityDetails::find_shunned() {
  for (const PodAffinityTerm& term : pod_.placement.pod_anti_affinity) {
    const scheduler::OwnTerm own(cluster_, term, pod_.ns);
    Side side = side_of(term);
    for (const scheduler::PodClass& each : cluster_.shared<scheduler::PodClasses>().all())
      if (own.is_about(*each.pod))
        each_place(cluster_, each, [&](const Pod* pod, std::size_t node) {
          if (Found& slot = side.by_value[side.column->value_of[node]]; slot.pod == nullptr)
            slot = {pod, node};
        });
    shunned_.push_back(std::move(side));
  }
}

void AffinityDetails::find_shunning() {
  const StringMap* const labels = cluster_.namespace_labels(pod_.ns);
  const StringMap none;
  for (const auto& group : cluster_.shared<scheduler::AntiAffinityPods>().groups)
    for (const PodAffinityTerm& term : group.pod->placement.pod_anti_affinity) {
      if (!scheduler::is_about(term, group.pod->ns, pod_, labels == nullptr ? none : *labels))
        continue;
      Side side = side_of(term);
      for (const std::uint32_t node : group.nodes) {
        Found& slot = side.by_value[side.column->value_of[node]];
        if (slot.pod == nullptr) slot = {group.last_on.at(node), node};
      }
      shunning_.push_back(std::move(side));
    }
}

/// The first affinity that the node's domain does not meet.
const AffinityDetails::Side* AffinityDetails::unmet(std::size_t node) const {
  for (const Side& side : wanted_) {
    const std::uint32_t value = side.column->value_of[node];
    if (value == 0 || side.by_value[value].pod == nullptr) return &side;
  }
  return nullptr;
}

AffinityDetails::Against AffinityDetails::against(std::size_t node) const {
  for (const auto* sides : {&shunned_, &shunning_})
    for (const Side& side : *sides)
      if (const std::uint32_t value = side.column->value_of[node];
          value != 0 && side.by_value[value].pod != nullptr)
        return {&side, side.by_value[value], sides == &shunned_};
  return {};
}

std::string AffinityDetails::name_of(const Found& found) const {
  return fmt::format("{}/{} on {}", found.pod->ns, found.pod->name,
                     cluster_.nodes()[found.node].node->name);
}

std::string AffinityDetails::affinity_detail(std::size_t node) const {
  const Side* const side = unmet(node);
  if (side == nullptr) return {};
  if (side->column->value_of[node] == 0) return "no label " + side->term->topology_key;
  return "no " + wanted_text(*side->term);
}

std::string AffinityDetails::anti_affinity_detail(std::size_t node) const {
  const Against what = against(node);
  return what.found.pod == nullptr ? "" : name_of(what.found);
}

std::string AffinityDetails::affinity_headline(const RuledOut& ruled_out) const {
  const std::size_t nearest = ruled_out.nodes.front();
  const Side* const side = unmet(nearest);
  if (side == nullptr) return {};
  if (side->column->value_of[nearest] == 0)
    return fmt::format("pod affinity uses the label {}, and {} does not have it",
                       side->term->topology_key, cluster_.nodes()[nearest].node->name);
  const std::string lead = fmt::format("pod must share its {} with a {}, and ",
                                       place_text(*side->term), wanted_text(*side->term));
  if (all_wanted_.empty()) return lead + "no node has one";
  std::vector<std::string> names;
  for (const Found& found : all_wanted_) names.push_back(name_of(found));
  return fmt::format("{}does not fit beside {}", lead, names_text(names));
}

std::optional<Advice> AffinityDetails::affinity_advice() const {
  if (all_wanted_.empty()) return std::nullopt;
  const ResourceList requests = effective_requests(pod_);
  const auto has_gpus = [&](const Node& node) {
    return std::any_of(requests.begin(), requests.end(), [&](const auto& each) {
      return each.second.value() > 0 && gpu_resource(each.first) &&
             amount_of(node.allocatable, each.first) >= each.second;
    });
  };
  const auto& nodes = cluster_.nodes();
  // Nodes of the same domains as the pod's that it has to stand beside.
  const auto is_near = [&](std::size_t node, const Found& found) {
    return std::all_of(wanted_.begin(), wanted_.end(), [&](const Side& side) {
      return side.column->value_of[node] == side.column->value_of[found.node];
    });
  };
  std::optional<std::size_t> with_gpus;
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    if (!has_gpus(*nodes[node].node)) continue;
    if (!with_gpus) with_gpus = node;
    if (std::any_of(all_wanted_.begin(), all_wanted_.end(),
                    [&](const Found& found) { return is_near(node, found); }))
      return std::nullopt;
  }
  if (!with_gpus) return std::nullopt;
  const Found& first = all_wanted_.front();
  const std::string_view place = place_text(*wanted_.front().term);
  return Advice{
      .summary = fmt::format(
          "the {} of {}/{} has no such GPUs: move that pod to one that has them, such as that of "
          "{}; or soften the rule to preferredDuringSchedulingIgnoredDuringExecution{}",
          place, first.pod->ns, first.pod->name, nodes[*with_gpus].node->name,
          place == "node" ? ", or to topologyKey: topology.kubernetes.io/zone" : ""),
      .command = {},
      .kind = AdviceKind::edit};
}

/// "gpu-1 has ml/cache-0", "eu-1a has ml/cache-0 on gpu-2".
std::string AffinityDetails::there_text(const Against& against, std::size_t node) const {
  const Side& side = *against.side;
  const std::string_view domain = side.column->values[side.column->value_of[node]];
  if (against.found.node != node || side.term->topology_key != kHostname)
    return fmt::format("{} has {}", domain, name_of(against.found));
  return fmt::format("{} has {}/{}", cluster_.nodes()[node].node->name, against.found.pod->ns,
                     against.found.pod->name);
}

std::string AffinityDetails::anti_affinity_headline(const RuledOut& ruled_out) const {
  const std::size_t nearest = ruled_out.nodes.front();
  const Against first = against(nearest);
  if (first.side == nullptr) return {};
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const std::size_t node : ruled_out.nodes)
    if (const Against each = against(node); each.found.pod != nullptr)
      if (std::string name = name_of(each.found); seen.insert(name).second)
        names.push_back(std::move(name));
  const PodAffinityTerm& term = *first.side->term;
  const bool is_one = ruled_out.nodes.size() == 1;
  if (first.is_own)
    return fmt::format("pod must not share its {} with a {}, and {}", place_text(term),
                       wanted_text(term),
                       is_one ? there_text(first, nearest)
                              : fmt::format("{} have one: {}", ruled_out.all, names_text(names)));
  if (names.size() == 1)
    return fmt::format(
        "anti-affinity of {} keeps this pod {}", names.front(),
        is_one ? fmt::format("out of its {}", place_text(term)) : "off " + ruled_out.all);
  return fmt::format("anti-affinity of other pods keeps this one off {}: {}", ruled_out.all,
                     names_text(names));
}

}  // namespace gpu::diagnose
