#include "diagnose/stack/daemon_labels.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "base/contains.hpp"
#include "base/text.hpp"
#include "diagnose/stack/operator_label.hpp"
#include "diagnose/stack/pci_label.hpp"

namespace gpu::diagnose {
namespace {

std::string_view key_of(std::string_view label) { return label.substr(0, label.find('=')); }

/// Node feature discovery saw the card, and wrote a label in another form than is selected: with
/// the PCI class in it, or without.
std::optional<Advice> other_format(const Node& node, const Unreached& unreached) {
  for (const std::string& wanted : unreached.labels) {
    const auto card = pci_label(key_of(wanted));
    if (!card) continue;
    for (const auto& [key, value] : node.labels)
      if (const auto seen = pci_label(key); seen && seen->vendor == card->vendor && value == "true")
        return Advice{.summary =
                          "or set sources.pci.deviceLabelFields of node feature discovery "
                          "so that it writes " +
                          std::string(key_of(wanted)) + " ([" + std::string(card->fields) +
                          "] gives pci-" + std::string(card->form) +
                          "): it runs, and has seen the card, which it labelled " + key};
  }
  return std::nullopt;
}

/// What node feature discovery has seen of the maker that a label is about, where it does not write
/// that label itself: "; node feature discovery has seen the card there (KEY)".
std::string seen_text(const Node& node, const std::vector<std::string>& wanted) {
  static constexpr std::array<std::pair<std::string_view, Vendor>, 4> kMakers = {
      {{"nvidia", Vendor::nvidia},
       {"amd", Vendor::amd},
       {"habana", Vendor::habana},
       {"intel", Vendor::intel}}};
  for (const std::string& label : wanted)
    for (const auto& [word, vendor] : kMakers)
      for (const auto& [key, value] : node.labels)
        if (const auto seen = pci_label(key);
            contains(key_of(label), word) && seen && seen->vendor == vendor)
          return "; node feature discovery has seen such a card there (" + key + ")";
  return {};
}

/// "~1" for "/": a key in a path of a JSON patch.
std::string pointer_part(std::string_view key) {
  std::string part;
  for (const char letter : key) part += letter == '/' ? "~1" : std::string(1, letter);
  return part;
}

/// Whether any node of the cluster has a label of this key.
bool is_on_any_node(const scheduler::Cluster& cluster, std::string_view key) {
  const auto& nodes = cluster.nodes();
  return std::any_of(nodes.begin(), nodes.end(), [&](const scheduler::NodeState& each) {
    return each.node->labels.contains(key);
  });
}

/// Words of labels that no node is meant to have.
bool is_off_switch(std::string_view key, std::string_view value) {
  static constexpr std::array<std::string_view, 7> kWords = {
      "none", "non-exist", "nonexist", "disable", "never", "no-such", "nowhere"};
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
    return contains(key, word) || contains(value, word);
  });
}

/// A selector that no node can match is how people switch a DaemonSet off.
std::optional<Advice> switched_off(const scheduler::Cluster& cluster, const DaemonSet& daemon) {
  for (const auto& [key, value] : daemon.pod.node_selector) {
    if (!is_off_switch(key, value) || is_on_any_node(cluster, key)) continue;
    return Advice{
        .summary = "take the selector " + key + "=" + value + " off the DaemonSet " + daemon.ns +
                   "/" + daemon.name + ", if its pods are to run: no node has that label, so it " +
                   "has none on any node",
        .command = "kubectl patch daemonset -n " + shell_quoted(daemon.ns) + " " +
                   shell_quoted(daemon.name) + " --type json -p " +
                   shell_quoted(R"([{"op":"remove","path":"/spec/template/spec/nodeSelector/)" +
                                pointer_part(key) + R"("}])")};
  }
  return std::nullopt;
}

std::string label_command(const Node& node, const std::vector<std::string>& labels) {
  std::string command = "kubectl label node " + shell_quoted(node.name);
  bool replaces = false;
  for (const std::string& label : labels) {
    command += " " + shell_quoted(label);
    replaces = replaces || node.labels.contains(key_of(label));
  }
  return command + (replaces ? " --overwrite" : "");
}

std::string listed(const std::vector<std::string>& labels) {
  std::string text;
  for (const std::string& label : labels) text += (text.empty() ? "" : ", ") + label;
  return text;
}

Advice take_off(const DaemonSet& daemon, const Node& node, const Unreached& unreached) {
  std::vector<std::string> off;
  for (const std::string& key : unreached.unwanted) off.push_back(key + "-");
  return {.summary = "take the label " + listed(unreached.unwanted) + " off " + node.name +
                     " to use its GPUs: the DaemonSet " + daemon.ns + "/" + daemon.name +
                     " keeps off nodes that have it",
          .command = label_command(node, off)};
}

}  // namespace

bool is_discovered(std::string_view label) {
  static constexpr std::array<std::string_view, 6> kDomains = {"feature.node.kubernetes.io",
                                                               "nvidia.com",
                                                               "amd.com",
                                                               "intel.com",
                                                               "habana.ai",
                                                               "habana.com"};
  const std::string_view domain = label.substr(0, label.find('/'));
  return std::any_of(kDomains.begin(), kDomains.end(), [&](std::string_view each) {
    return domain.ends_with(each) &&
           (domain.size() == each.size() || domain[domain.size() - each.size() - 1] == '.');
  });
}

std::vector<Advice> label_advice(const scheduler::Cluster& cluster, const DaemonSet& daemon,
                                 const Node& node, const Unreached& unreached) {
  if (auto advice = operator_label_advice(node, unreached.labels)) return {*std::move(advice)};
  if (auto advice = switched_off(cluster, daemon)) return {*std::move(advice)};
  if (unreached.to_set.empty() && !unreached.unwanted.empty())
    return {take_off(daemon, node, unreached)};
  std::vector<Advice> advice;
  auto other = other_format(node, unreached);
  if (!unreached.to_set.empty())
    advice.push_back({.summary = "set the label " + listed(unreached.to_set) + " on " + node.name +
                                 ": the DaemonSet " + daemon.ns + "/" + daemon.name +
                                 " then selects it" +
                                 (other ? std::string() : seen_text(node, unreached.to_set)),
                      .command = label_command(node, unreached.to_set)});
  if (other) advice.push_back(*std::move(other));
  return advice;
}

}  // namespace gpu::diagnose
