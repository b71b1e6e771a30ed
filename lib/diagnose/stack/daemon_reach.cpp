#include "diagnose/stack/daemon_reach.hpp"

#include <algorithm>
#include <initializer_list>

#include "model/objects/selector_text.hpp"
#include "model/pools/toleration.hpp"

namespace gpu::diagnose {
namespace {

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

/// Its name, and what it runs.
std::string contents_of(const DaemonSet& daemon) {
  std::string text = daemon.name;
  for (const auto* list : {&daemon.pod.containers, &daemon.pod.init_containers})
    for (const Container& container : *list) text += ' ' + container.name + ' ' + container.image;
  return text;
}

/// Everything that tells what a DaemonSet is for, in one text.
std::string description_of(const DaemonSet& daemon) {
  std::string text = contents_of(daemon);
  for (const auto& [key, value] : daemon.pod.labels) text += ' ' + value;
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

/// Whether a name has one of the words between its dashes.
bool has_word(std::string_view name, std::initializer_list<std::string_view> words) {
  const std::string dashed = "-" + std::string(name) + "-";
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return dashed.find("-" + std::string(word) + "-") != std::string::npos;
  });
}

/// Whose GPUs it is for, where that can be told. "amd64" is no maker.
std::optional<Vendor> vendor_of(std::string_view text) {
  if (has_any(text, {"nvidia"})) return Vendor::nvidia;
  if (has_any(text, {"habana", "gaudi"})) return Vendor::habana;
  if (has_any(text, {"neuron"})) return Vendor::aws;
  if (has_any(text, {"rocm", "amdgpu", "amd-gpu"})) return Vendor::amd;
  if (has_any(text, {"intel"})) return Vendor::intel;
  return std::nullopt;
}

bool has_role(DaemonRole role, const DaemonSet& daemon, const std::string& text) {
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
             (has_word(daemon.name, {"worker"}) ||
              !has_word(daemon.name, {"master", "gc", "topology"}));
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

StackDaemons::StackDaemons(const scheduler::Cluster& cluster) {
  for (const DaemonSet& daemon : cluster.snapshot().scheduling.daemon_sets) {
    const std::string text = description_of(daemon);
    const auto vendor = vendor_of(contents_of(daemon));  // a chart's labels may be of any release
    for (std::size_t role = 0; role < by_role_.size(); ++role)
      if (has_role(static_cast<DaemonRole>(role), daemon, text))
        by_role_[role].push_back({&daemon, vendor ? vendor : vendor_of(text)});
  }
}

bool is_of_role(DaemonRole role, const Pod& pod, Vendor vendor) {
  const auto owner =
      std::find_if(pod.owners.begin(), pod.owners.end(),
                   [](const OwnerReference& each) { return each.kind == "DaemonSet"; });
  if (owner == pod.owners.end()) return false;
  const DaemonSet daemon{.ns = pod.ns, .name = owner->name, .pod = pod};
  if (!has_role(role, daemon, description_of(daemon))) return false;
  const auto whose = vendor_of(contents_of(daemon));
  return !whose || *whose == vendor;
}

std::vector<const DaemonSet*> StackDaemons::of(DaemonRole role) const {
  std::vector<const DaemonSet*> found;
  for (const Known& known : by_role_[static_cast<std::size_t>(role)]) found.push_back(known.daemon);
  return found;
}

std::vector<const DaemonSet*> StackDaemons::of(DaemonRole role, Vendor vendor) const {
  std::vector<const DaemonSet*> found;
  for (const Known& known : by_role_[static_cast<std::size_t>(role)])
    if (!known.vendor || *known.vendor == vendor) found.push_back(known.daemon);
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

}  // namespace gpu::diagnose
