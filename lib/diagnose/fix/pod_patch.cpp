#include "diagnose/fix/pod_patch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "base/yaml_text.hpp"
#include "model/objects/own_kind.hpp"
#include "model/objects/quantity_text.hpp"

namespace gpu::diagnose {
namespace {

/// What admission (DefaultTolerationSeconds) adds to every pod.
bool is_default(const Toleration& toleration) {
  return (toleration.key == "node.kubernetes.io/not-ready" ||
          toleration.key == "node.kubernetes.io/unreachable") &&
         toleration.op == "Exists" && toleration.effect == "NoExecute";
}

/// What the DaemonSet controller adds to every pod.
bool is_of_daemons(const Toleration& toleration) {
  constexpr std::string_view kGroup = "node.kubernetes.io/";
  static constexpr std::array<std::string_view, 5> kKeys = {
      "disk-pressure", "memory-pressure", "pid-pressure", "unschedulable", "network-unavailable"};
  return toleration.key.starts_with(kGroup) && toleration.op == "Exists" &&
         toleration.effect == "NoSchedule" &&
         std::find(kKeys.begin(), kKeys.end(), toleration.key.substr(kGroup.size())) != kKeys.end();
}

bool is_daemon(const Pod& pod) {
  return std::any_of(pod.owners.begin(), pod.owners.end(),
                     [](const OwnerReference& owner) { return is_own(owner, "DaemonSet"); });
}

std::string flow_text(const Toleration& toleration) {
  std::vector<std::string> parts;
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) parts.push_back(fmt::format("{}: {}", name, yaml_text(value)));
  };
  add("key", toleration.key);
  add("operator", toleration.op);
  add("value", toleration.value);
  add("effect", toleration.effect);
  if (toleration.seconds)
    parts.push_back(fmt::format("tolerationSeconds: {}", *toleration.seconds));
  return fmt::format("{{{}}}", fmt::join(parts, ", "));
}

/// Writes lines of YAML at an indentation.
class Lines {
 public:
  explicit Lines(std::size_t indent) : indent_(indent) {}
  void add(std::size_t depth, std::string_view text, std::string_view comment = {}) {
    text_ += fmt::format("{:{}}{}", "", indent_ + depth, text);
    if (!comment.empty()) text_ += fmt::format("    # {}", comment);
    text_ += '\n';
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::size_t indent_;
  std::string text_;
};

void add_tolerations(Lines& lines, const Pod& before, const Pod& after, PatchedSpec spec) {
  if (before.tolerations == after.tolerations) return;
  lines.add(0, "tolerations:");
  for (const Toleration& toleration : after.tolerations) {
    if (spec == PatchedSpec::of_template && is_default(toleration)) continue;
    const bool is_new = std::find(before.tolerations.begin(), before.tolerations.end(),
                                  toleration) == before.tolerations.end();
    const bool is_given = !is_new && is_daemon(before) && is_of_daemons(toleration);
    if (spec == PatchedSpec::of_template && is_given) continue;
    lines.add(0, "- " + flow_text(toleration), is_new ? "new" : "already there");
  }
}

void add_node_selector(Lines& lines, const Pod& before, const Pod& after) {
  if (before.node_selector == after.node_selector) return;
  lines.add(0, "nodeSelector:");
  for (const auto& [key, value] : before.node_selector)
    if (!after.node_selector.contains(key)) lines.add(2, yaml_text(key) + ": null");
  for (const auto& [key, value] : after.node_selector)
    if (const std::string* was = before.node_selector.find(key); was == nullptr || *was != value)
      lines.add(2, yaml_text(key) + ": " + yaml_text(value),
                was == nullptr ? "new" : "was " + *was);
}

std::string flow_text(const Requirement& requirement) {
  std::vector<std::string> values;
  for (const std::string& value : requirement.values) values.push_back(yaml_text(value));
  std::string text =
      fmt::format("{{key: {}, operator: {}", yaml_text(requirement.key), yaml_text(requirement.op));
  if (!values.empty()) text += fmt::format(", values: [{}]", fmt::join(values, ", "));
  return text + "}";
}

/// The list of terms is replaced whole.
void add_node_affinity(Lines& lines, const Pod& before, const Pod& after) {
  const auto& was = before.placement.node_affinity;
  const auto& is = after.placement.node_affinity;
  if (!was || !is || *was == *is) return;
  lines.add(0, "affinity:");
  lines.add(2, "nodeAffinity:");
  lines.add(4, "requiredDuringSchedulingIgnoredDuringExecution:");
  lines.add(6, "nodeSelectorTerms:");
  for (std::size_t i = 0; i < is->size(); ++i) {
    const NodeSelectorTerm& term = (*is)[i];
    std::string_view lead = "- ";
    const auto add_list = [&](std::string_view name, const std::vector<Requirement>& list,
                              const std::vector<Requirement>& old) {
      if (list.empty()) return;
      lines.add(6, fmt::format("{}{}:", std::exchange(lead, "  "), name));
      for (const Requirement& each : list) {
        const bool is_old = std::find(old.begin(), old.end(), each) != old.end();
        lines.add(8, "- " + flow_text(each), is_old ? "already there" : "new");
      }
    };
    const NodeSelectorTerm old = i < was->size() ? (*was)[i] : NodeSelectorTerm{};
    add_list("matchExpressions", term.expressions, old.expressions);
    add_list("matchFields", term.fields, old.fields);
    if (lead == "- ") lines.add(6, "- {}");
  }
}

/// A rule is found by its key. That of a pod has the values of matchLabelKeys in its selector
/// already: the API server would not take both.
void add_spread(Lines& lines, const Pod& before, const Pod& after, PatchedSpec spec) {
  const auto& was = before.placement.spread;
  const auto& is = after.placement.spread;
  const auto is_merged = [&](const TopologySpread& rule) {
    return spec == PatchedSpec::of_new_pod && !rule.match_label_keys.empty();
  };
  if (was == is && std::none_of(is.begin(), is.end(), is_merged)) return;
  lines.add(0, "topologySpreadConstraints:");
  for (std::size_t i = 0; i < std::min(was.size(), is.size()); ++i) {
    if (was[i] == is[i] && !is_merged(is[i])) continue;
    lines.add(0, "- topologyKey: " + yaml_text(is[i].topology_key));
    if (is_merged(is[i])) lines.add(2, "matchLabelKeys: null", "its labels are in the selector");
    if (was[i] == is[i]) continue;
    lines.add(2, "whenUnsatisfiable: " + yaml_text(is[i].when_unsatisfiable),
              "was " + was[i].when_unsatisfiable);
    if (was[i].min_domains && !is[i].min_domains)
      lines.add(2, "minDomains: null", fmt::format("was {}", *was[i].min_domains));
  }
}

void add_amounts(Lines& lines, std::string_view name, const ResourceList& before,
                 const ResourceList& after) {
  if (before == after) return;
  lines.add(4, fmt::format("{}:", name));
  for (const auto& [resource, amount] : before)
    if (!after.contains(resource)) lines.add(6, yaml_text(resource) + ": null");
  for (const auto& [resource, amount] : after) {
    const Quantity* const was = before.find(resource);
    if (was != nullptr && *was == amount) continue;
    lines.add(
        6, fmt::format("{}: {}", yaml_text(resource), yaml_text(quantity_text(resource, amount))),
        was == nullptr ? "new" : "was " + quantity_text(resource, *was));
  }
}

void add_containers(Lines& lines, std::string_view list, const std::vector<Container>& before,
                    const std::vector<Container>& after) {
  bool is_first = true;
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
    if (before[i].requests == after[i].requests && before[i].limits == after[i].limits) continue;
    if (is_first) lines.add(0, fmt::format("{}:", list));
    is_first = false;
    lines.add(0, "- name: " + yaml_text(after[i].name));
    lines.add(2, "resources:");
    add_amounts(lines, "requests", before[i].requests, after[i].requests);
    add_amounts(lines, "limits", before[i].limits, after[i].limits);
  }
}

}  // namespace

std::string pod_patch(const Pod& before, const Pod& after, PatchedSpec spec, std::size_t indent) {
  Lines lines(indent);
  add_tolerations(lines, before, after, spec);
  add_node_selector(lines, before, after);
  add_node_affinity(lines, before, after);
  add_spread(lines, before, after, spec);
  add_containers(lines, "containers", before.containers, after.containers);
  add_containers(lines, "initContainers", before.init_containers, after.init_containers);
  return lines.take();
}

}  // namespace gpu::diagnose
