#include "diagnose/stack/daemon_reach.hpp"

#include <algorithm>
#include <initializer_list>

#include "model/objects/own_kind.hpp"
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

/// Other programs that come in the image of NVIDIA's device plugin.
bool is_beside_plugin(std::string_view name) {
  return has_any(name, {"feature-discovery", "mps-control", "config-manager"}) ||
         has_word(name, {"gfd"});
}

/// Whether a DaemonSet with that image runs the plugin itself, by its name and its containers'.
bool has_plugin_container(const DaemonSet& daemon) {
  if (is_beside_plugin(daemon.name)) return false;
  const auto& containers = daemon.pod.containers;
  return containers.empty() ||
         std::any_of(containers.begin(), containers.end(),
                     [](const Container& container) { return !is_beside_plugin(container.name); });
}

/// Kubelet plugins of DRA drivers: dra-driver-nvidia-gpu, k8s-gpu-dra-driver, gpu-resource-driver.
bool is_dra_driver(const DaemonSet& daemon, const std::string& text) {
  return has_any(text, {"dra-driver", "dra-example-driver", "gpu-resource-driver"}) ||
         has_word(daemon.name, {"dra"});
}

bool has_role(DaemonRole role, const DaemonSet& daemon, const std::string& text) {
  // NVIDIA's images, whose names alone are left where a snapshot was redacted.
  const bool is_plugin = runs(daemon, "k8s-device-plugin");
  const bool is_driver = runs(daemon, "driver");
  const bool is_of_gpus =
      is_plugin || is_driver || has_any(text, {"nvidia", "gpu", "amd", "intel", "habana", "gaudi"});
  switch (role) {
    case DaemonRole::device_plugin:
      return is_of_gpus && has_any(text, {"device-plugin", "gpu-plugin", "deviceplugin"}) &&
             has_plugin_container(daemon) && !is_dra_driver(daemon, contents_of(daemon));
    case DaemonRole::feature_discovery:
      return has_any(text, {"node-feature-discovery", "nfd-worker"}) &&
             (has_word(daemon.name, {"worker"}) ||
              !has_word(daemon.name, {"master", "gc", "topology"}));
    case DaemonRole::driver:
      return is_driver || (is_of_gpus && has_any(text, {"driver-installer", "gpu-driver",
                                                        "nvidia-driver", "driver-daemonset"}));
    case DaemonRole::dra_driver:
      return is_dra_driver(daemon, contents_of(daemon));
    case DaemonRole::mig_manager:
      return has_any(text, {"mig-manager"});
    case DaemonRole::toolkit:
      return has_any(daemon.name, {"container-toolkit"}) || runs(daemon, "container-toolkit");
    case DaemonRole::gpu_labeler:
      return has_any(daemon.name, {"gpu-feature-discovery", "node-labeller"}) ||
             runs(daemon, "gpu-feature-discovery") || has_word(daemon.name, {"gfd"});
    case DaemonRole::exporter:
      return has_any(daemon.name, {"dcgm-exporter", "device-metrics-exporter"}) ||
             runs(daemon, "dcgm-exporter") || runs(daemon, "device-metrics-exporter");
    case DaemonRole::validator:
      return has_any(daemon.name, {"operator-validator"});
  }
  return false;
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

/// Whether a label of the node, and not the lack of one, is against it.
bool is_against_label(const Requirement& requirement) {
  return requirement.op == "NotIn" || requirement.op == "DoesNotExist";
}

/// "nvidia.com/gpu.present=true": with it the requirement holds. Nothing where none is sure to.
std::optional<std::string> label_for(const Requirement& requirement) {
  if (requirement.op == "Exists") return requirement.key + "=true";
  if (requirement.op == "In" && !requirement.values.empty())
    return requirement.key + "=" + requirement.values.front();
  return std::nullopt;
}

/// The labels with which a term holds for the node; nothing where labels alone do not help.
std::optional<std::vector<std::string>> labels_for(const NodeSelectorTerm& term, const Node& node) {
  if (!matches(NodeSelectorTerm{.fields = term.fields}, node) && !term.fields.empty())
    return std::nullopt;
  std::vector<std::string> labels;
  for (const Requirement& requirement : term.expressions) {
    if (holds(requirement, node.labels)) continue;
    auto label = label_for(requirement);
    if (!label) return std::nullopt;
    labels.push_back(*std::move(label));
  }
  return labels;
}

/// Whether node feature discovery writes it, from what it finds.
bool is_found_out(const std::string& label) {
  return label.starts_with("feature.node.kubernetes.io/");
}

/// Of the terms the one that takes the fewest labels of others.
std::vector<std::string> labels_for(const NodeSelector& selector, const Node& node) {
  std::optional<std::vector<std::string>> best;
  const auto rank = [](const std::vector<std::string>& labels) {
    return std::pair(std::count_if(labels.begin(), labels.end(), is_found_out), labels.size());
  };
  for (const NodeSelectorTerm& term : selector)
    if (auto labels = labels_for(term, node); labels && (!best || rank(*labels) < rank(*best)))
      best = std::move(labels);
  return best.value_or(std::vector<std::string>{});
}

/// What its selector and its affinity have against the node.
Unreached missed_by_labels(const Pod& pod, const Node& node) {
  Unreached missed;
  for (const auto& [key, value] : pod.node_selector)
    if (const std::string* has = node.labels.find(key); has == nullptr || *has != value) {
      missed.labels.push_back(key + "=" + value);
      missed.to_set.push_back(key + "=" + value);
    }
  const auto& affinity = pod.placement.node_affinity;
  if (!affinity || matches(*affinity, node)) return missed;
  for (const NodeSelectorTerm& term : *affinity)
    for (const Requirement& requirement : term.expressions)
      if (!holds(requirement, node.labels))
        add_once(is_against_label(requirement) ? missed.unwanted : missed.labels, requirement.key);
  const std::vector<std::string> labels = labels_for(*affinity, node);
  if (labels.empty()) missed.to_set.clear();
  for (const std::string& label : labels) add_once(missed.to_set, label);
  return missed;
}

std::string list_text(const std::vector<std::string>& names, std::string_view between) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += between;
    text += name;
  }
  return text;
}

/// "gpu-off=true", as the node has them.
std::string labels_text(const Node& node, const std::vector<std::string>& keys) {
  std::vector<std::string> labels;
  for (const std::string& key : keys)
    labels.push_back(key + "=" + std::string(value_of(node.labels, key)));
  return list_text(labels, " or ");
}

/// What is known of the DaemonSet that made a pod; nothing for another owner's.
std::optional<DaemonSet> daemon_of(const Pod& pod) {
  const auto owner =
      std::find_if(pod.owners.begin(), pod.owners.end(),
                   [](const OwnerReference& each) { return is_own(each, "DaemonSet"); });
  if (owner == pod.owners.end()) return std::nullopt;
  return DaemonSet{.ns = pod.ns, .name = owner->name, .pod = pod};
}

}  // namespace

/// "amd64" is no maker.
std::optional<Vendor> maker_in(std::string_view text) {
  if (has_any(text, {"nvidia"})) return Vendor::nvidia;
  if (has_any(text, {"habana", "gaudi"})) return Vendor::habana;
  if (has_any(text, {"neuron"})) return Vendor::aws;
  if (has_any(text, {"rocm", "amdgpu", "amd-gpu", "amd.com"})) return Vendor::amd;
  if (has_any(text, {"intel"})) return Vendor::intel;
  return std::nullopt;
}

StackDaemons::StackDaemons(const scheduler::Cluster& cluster) {
  for (const DaemonSet& daemon : cluster.snapshot().scheduling.daemon_sets) {
    const std::string text = description_of(daemon);
    const auto vendor = maker_in(contents_of(daemon));  // a chart's labels may be of any release
    for (std::size_t role = 0; role < by_role_.size(); ++role)
      if (has_role(static_cast<DaemonRole>(role), daemon, text))
        by_role_[role].push_back({&daemon, vendor ? vendor : maker_in(text)});
  }
}

std::vector<DaemonRole> roles_of(const Pod& pod) {
  std::vector<DaemonRole> roles;
  const auto daemon = daemon_of(pod);
  if (!daemon) return roles;
  const std::string text = description_of(*daemon);
  for (std::size_t role = 0; role < kDaemonRoles; ++role)
    if (has_role(static_cast<DaemonRole>(role), *daemon, text))
      roles.push_back(static_cast<DaemonRole>(role));
  return roles;
}

bool is_of_role(DaemonRole role, const Pod& pod, Vendor vendor) {
  const auto known = daemon_of(pod);
  if (!known) return false;
  const DaemonSet& daemon = *known;
  if (!has_role(role, daemon, description_of(daemon))) return false;
  const auto whose = maker_in(contents_of(daemon));
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
  Unreached unreached = missed_by_labels(daemon.pod, node);
  std::vector<std::string> taints;
  for (const Taint* taint : untolerated(daemon.pod.tolerations, node)) {
    if (lifecycle_of(*taint) != Unavailable::none) continue;
    unreached.taints.push_back(taint);
    add_once(taints, text_of(*taint));
  }
  if (!taints.empty()) unreached.why = "does not tolerate " + list_text(taints, " and ");
  const std::string_view also = taints.empty() ? "" : ", and ";
  if (!unreached.labels.empty())
    unreached.why += std::string(also) + "selects nodes with " +
                     list_text(unreached.labels, " or ") + ", which this one lacks";
  else if (!unreached.unwanted.empty())
    unreached.why += std::string(also) + "keeps off nodes with the label " +
                     labels_text(node, unreached.unwanted);
  return unreached;
}

}  // namespace gpu::diagnose
