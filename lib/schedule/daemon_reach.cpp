#include "schedule/daemon_reach.hpp"

#include <algorithm>
#include <initializer_list>

#include "model/toleration.hpp"

namespace gpu::schedule {
namespace {

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

/// Everything that tells what a DaemonSet runs, in one text.
std::string description_of(const DaemonSet& daemon) {
  std::string text = daemon.name;
  for (const auto& [key, value] : daemon.pod.labels) text += ' ' + value;
  for (const auto* list : {&daemon.pod.containers, &daemon.pod.init_containers})
    for (const Container& container : *list) text += ' ' + container.name + ' ' + container.image;
  return text;
}

/// Whether it runs an image of this name, of any registry.
bool runs(const DaemonSet& daemon, std::string_view name) {
  const auto is_it = [&](const Container& container) {
    std::string_view image = container.image;
    image = image.substr(0, image.find('@'));
    image.remove_prefix(std::min(image.size(), image.rfind('/') + 1));
    return image.substr(0, image.find(':')) == name;
  };
  const auto& containers = daemon.pod.containers;
  return std::any_of(containers.begin(), containers.end(), is_it);
}

bool has_role(DaemonRole role, const DaemonSet& daemon) {
  const std::string text = description_of(daemon);
  // NVIDIA's images, whose names alone are left where a snapshot was redacted.
  const bool is_plugin = runs(daemon, "k8s-device-plugin");
  const bool is_driver = runs(daemon, "driver");
  const bool is_of_gpus =
      is_plugin || is_driver || has_any(text, {"nvidia", "gpu", "amd", "intel", "habana", "gaudi"});
  switch (role) {
    case DaemonRole::device_plugin:
      return is_of_gpus && has_any(text, {"device-plugin", "gpu-plugin", "deviceplugin"});
    case DaemonRole::feature_discovery:
      return has_any(text, {"node-feature-discovery", "nfd-worker"}) &&
             !has_any(daemon.name, {"master", "gc", "topology"});
    case DaemonRole::driver:
      return is_driver || (is_of_gpus && has_any(text, {"driver-installer", "gpu-driver",
                                                        "nvidia-driver", "driver-daemonset"}));
  }
  return false;
}

/// Labels that a selector asks for and that the node does not have as asked.
std::vector<std::string> missing_labels(const Pod& pod, const Node& node) {
  std::vector<std::string> missing;
  for (const auto& [key, value] : pod.node_selector)
    if (const std::string* has = node.labels.find(key); has == nullptr || *has != value)
      missing.push_back(key + "=" + value);
  const auto& affinity = pod.placement.node_affinity;
  if (!affinity || matches(*affinity, node)) return missing;
  for (const NodeSelectorTerm& term : *affinity)
    for (const Requirement& requirement : term.expressions)
      if (!holds(requirement, node.labels) &&
          std::find(missing.begin(), missing.end(), requirement.key) == missing.end())
        missing.push_back(requirement.key);
  return missing;
}

std::string list_text(const std::vector<std::string>& names, std::string_view between) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += between;
    text += name;
  }
  return text;
}

}  // namespace

std::string text_of(const Taint& taint) {
  return taint.key + (taint.value.empty() ? "" : "=" + taint.value) + ":" + taint.effect;
}

std::vector<const DaemonSet*> daemons_for(DaemonRole role, const SchedulingFacts& facts) {
  std::vector<const DaemonSet*> found;
  for (const DaemonSet& daemon : facts.daemon_sets)
    if (has_role(role, daemon)) found.push_back(&daemon);
  return found;
}

Unreached reach_of(const DaemonSet& daemon, const Node& node) {
  for (const Taint* taint : untolerated(daemon.pod.tolerations, node))
    if (lifecycle_of(*taint) == Unavailable::none)
      return {.why = "does not tolerate " + text_of(*taint), .taint = taint};
  Unreached unreached{.labels = missing_labels(daemon.pod, node)};
  if (!unreached.labels.empty())
    unreached.why =
        "selects nodes with " + list_text(unreached.labels, " or ") + ", which this one lacks";
  return unreached;
}

}  // namespace gpu::schedule
