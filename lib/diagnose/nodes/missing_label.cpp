#include "diagnose/nodes/missing_label.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "diagnose/nodes/label_typo.hpp"
#include "scheduler/cycle/judge.hpp"
#include "scheduler/filters/inter_pod_affinity.hpp"

namespace gpu::diagnose {
namespace {

/// Nodes that an advice names.
constexpr std::size_t kMostNamed = 3;

/// Rules between pods that go by this key would take hold on a node that gets it.
bool is_topology_key(const scheduler::Cluster& cluster, const Pod& pod, const std::string& key) {
  const auto has_key = [&](const std::vector<PodAffinityTerm>& terms) {
    return std::any_of(terms.begin(), terms.end(),
                       [&](const PodAffinityTerm& term) { return term.topology_key == key; });
  };
  const auto& groups = cluster.shared<scheduler::AntiAffinityPods>().groups;
  return has_key(pod.placement.pod_affinity) || has_key(pod.placement.pod_anti_affinity) ||
         std::any_of(groups.begin(), groups.end(), [&](const auto& group) {
           return has_key(group.pod->placement.pod_anti_affinity);
         });
}

/// The part of the node selector that no node has; nothing where a label of it is a program's.
std::optional<StringMap> labels_missing(const scheduler::Cluster& cluster, const Pod& pod) {
  if (!pod.placement.spread.empty()) return std::nullopt;
  StringMap missing;
  for (const auto& [key, value] : pod.node_selector) {
    if (is_label_of_any(cluster, key, value)) continue;
    if (key.find('/') != std::string::npos || is_topology_key(cluster, pod, key))
      return std::nullopt;
    missing.set(key, value);
  }
  return missing.empty() ? std::nullopt : std::optional(std::move(missing));
}

/// The nodes that have no such key, and that would take the pod if they had.
std::vector<std::string> takers(const scheduler::Cluster& cluster, const Pod& pod,
                                const StringMap& labels) {
  std::vector<std::size_t> without;
  for (std::size_t i = 0; i < cluster.nodes().size(); ++i)
    if (std::none_of(labels.begin(), labels.end(), [&](const auto& label) {
          return cluster.nodes()[i].node->labels.contains(label.first);
        }))
      without.push_back(i);
  std::vector<std::string> names;
  if (without.empty()) return names;
  // A trial takes the keys from the pod instead.
  scheduler::Change change{.pod = pod};
  StringMap rest;
  for (const auto& [key, value] : pod.node_selector)
    if (!labels.contains(key)) rest.set(key, value);
  change.pod->node_selector = std::move(rest);
  const scheduler::Verdict after = judge(cluster, pod, change, without);
  if (!after.fits()) return names;
  for (const scheduler::NodeVerdict& node : after.nodes)
    if (node.lets_in()) names.push_back(cluster.nodes()[node.node].node->name);
  return names;
}

std::string names_text(const std::vector<std::string>& names) {
  if (names.size() > kMostNamed + 1)
    return fmt::format("{} and {} more nodes",
                       fmt::join(names.begin(), names.begin() + kMostNamed, ", "),
                       names.size() - kMostNamed);
  std::string text = names.front();
  for (std::size_t i = 1; i < names.size(); ++i)
    text += (i + 1 == names.size() ? " or " : ", ") + names[i];
  return text;
}

/// Admission adds what a RuntimeClass selects to its pods: there, its handler is set up.
bool is_of_runtime_class(const scheduler::Cluster& cluster, const Pod& pod,
                         const StringMap& labels) {
  const auto& classes = cluster.snapshot().scheduling.runtime_classes;
  const auto found = std::find_if(classes.begin(), classes.end(), [&](const RuntimeClass& each) {
    return each.name == pod.runtime_class;
  });
  return !pod.runtime_class.empty() && found != classes.end() &&
         std::any_of(labels.begin(), labels.end(),
                     [&](const auto& label) { return found->node_selector.contains(label.first); });
}

}  // namespace

std::optional<Advice> missing_label(const scheduler::Cluster& cluster, const Pod& pod) {
  const auto labels = labels_missing(cluster, pod);
  if (!labels) return std::nullopt;
  const std::vector<std::string> names = takers(cluster, pod, *labels);
  if (names.empty()) return std::nullopt;
  std::string text;
  std::string command = "kubectl label node NODE";
  for (const auto& [key, value] : *labels) {
    text += (text.empty() ? "" : ", ") + key + "=" + value;
    command += " " + shell_quoted(key + "=" + value);
  }
  const std::string where =
      is_of_runtime_class(cluster, pod, *labels)
          ? fmt::format("to a node where the handler of RuntimeClass {} is set up",
                        pod.runtime_class)
          : std::string("to a node of which that is true");
  return Advice{.summary = fmt::format("or give the label {} {}: {} would then take the pod", text,
                                       where, names_text(names)),
                .command = std::move(command)};
}

}  // namespace gpu::diagnose
