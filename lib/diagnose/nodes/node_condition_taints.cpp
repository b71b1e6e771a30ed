#include "diagnose/nodes/node_condition_taints.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/ascii.hpp"
#include "base/contains.hpp"
#include "base/text.hpp"
#include "model/objects/selector_text.hpp"
#include "model/pools/toleration.hpp"

namespace gpu::diagnose {
namespace {

std::string describe(const Node& node) {
  return "kubectl describe node " + shell_quoted(node.name);
}

std::string pods_on(const Node& node) {
  return "kubectl get pods -A -o wide --field-selector spec.nodeName=" + shell_quoted(node.name);
}

template <std::size_t Count>
bool has_any(std::string_view text, const std::array<std::string_view, Count>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return contains(text, word); });
}

std::optional<NodeConditionTaints> pressure_of(const Node& node, const Taint& taint) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kPressures = {
      {{"node.kubernetes.io/disk-pressure", "DiskPressure"},
       {"node.kubernetes.io/memory-pressure", "MemoryPressure"},
       {"node.kubernetes.io/pid-pressure", "PIDPressure"}}};
  for (const auto& [key, condition] : kPressures)
    if (taint.key == key)
      return NodeConditionTaints{
          .state = "ill",
          .what = std::string(condition),
          .nearest = "once its " + std::string(condition) + " is over",
          .advice = Advice{.summary = "see what presses on the node: its kubelet takes "
                                      "the taint off once that is over",
                           .command = describe(node)}};
  return std::nullopt;
}

NodeConditionTaints not_set_up(const Taint& taint, std::string_view who, std::string command) {
  return {
      .state = "not set up yet",
      .what = text_of(taint),
      .nearest = "once it is set up",
      .advice = Advice{.summary = "wait: " + std::string(who) +
                                  " takes the taint off once that part of the node is ready; if it "
                                  "stays, see whether it runs",
                       .command = std::move(command)}};
}

/// New nodes have such taints until cloud, network and storage are ready on them.
std::optional<NodeConditionTaints> start_of(const Node& node, const Taint& taint,
                                            std::string_view text) {
  if (taint.key == "node.cloudprovider.kubernetes.io/uninitialized")
    return not_set_up(taint, "the cloud provider's controller", describe(node));
  if (taint.key == "node.kubernetes.io/network-unavailable")
    return not_set_up(taint, "the network plugin, or the cloud's route controller,", pods_on(node));
  if (taint.key == "karpenter.sh/unregistered")
    return not_set_up(taint, "Karpenter", describe(node));
  static constexpr std::array<std::string_view, 4> kWords = {"not-ready", "notready",
                                                             "uninitialized", "not-initialized"};
  if (!has_any(text, kWords)) return std::nullopt;
  return not_set_up(taint, "whoever set it (an agent of network, storage or GPUs)", pods_on(node));
}

std::optional<NodeConditionTaints> switched_off(const Node& node, const Taint& taint) {
  const bool is_out = taint.key == "node.kubernetes.io/out-of-service";
  if (!is_out && taint.key != "node.cloudprovider.kubernetes.io/shutdown") return std::nullopt;
  NodeConditionTaints ailment{
      .state = "marked as off",
      .what = text_of(taint),
      .nearest = "once it is on again",
      .advice = Advice{.summary = "start the node: the cloud provider's controller takes "
                                  "the taint off then",
                       .command = describe(node)}};
  // People set this one.
  if (is_out)
    ailment.advice = Advice{.summary =
                                "once the node is on again, and well, take the taint off: no one "
                                "else does",
                            .command = "kubectl taint node " + shell_quoted(node.name) + " " +
                                       taint.key + ":" + taint.effect + "-"};
  return ailment;
}

/// Autoscalers and clouds say so before they take a node away.
std::optional<NodeConditionTaints> about_to_go(const Taint& taint, std::string_view text) {
  static constexpr std::array<std::string_view, 8> kWords = {
      "deletioncandidate", "terminat", "interruption", "scheduledevent",
      "disruption",        "evict",    "quick-remove", "disrupted"};
  if (lifecycle_of(taint) != Unavailable::node_leaving && !has_any(text, kWords))
    return std::nullopt;
  return NodeConditionTaints{.state = "about to go",
                             .what = text_of(taint),
                             .nearest = "which is about to go",
                             .advice = std::nullopt};
}

std::optional<NodeConditionTaints> work_or_illness(const Node& node, const Taint& taint,
                                                   std::string_view text) {
  static constexpr std::array<std::string_view, 7> kWork = {
      "maintenance",      "drain", "remediation", "medik8s.io/", "upgrade",
      "updateinprogress", "cordon"};
  static constexpr std::array<std::string_view, 5> kIllness = {"xid", "health", "gpu-lost",
                                                               "gpu.nvidia.com/", "quarantine"};
  if (has_any(text, kWork))
    return NodeConditionTaints{
        .state = "being worked on",
        .what = text_of(taint),
        .nearest = "once the work on it is over",
        .advice = Advice{.summary = "wait: whoever set the taint takes it off once the "
                                    "work on the node is over",
                         .command = describe(node)}};
  if (!has_any(text, kIllness)) return std::nullopt;
  return NodeConditionTaints{
      .state = "marked unhealthy",
      .what = text_of(taint),
      .nearest = "once it is well",
      .advice = Advice{.summary =
                           "repair the node: look for Xid errors and other faults there; the taint "
                           "comes off by whoever set it, or by hand once the node is well",
                       .command = describe(node)}};
}

std::optional<NodeConditionTaints> condition_taints_of(const Node& node, const Taint& taint) {
  if (auto pressure = pressure_of(node, taint)) return pressure;
  if (!is_health_taint(taint)) return std::nullopt;
  if (auto off = switched_off(node, taint)) return off;
  const std::string text = lower_case(taint.key + "=" + taint.value);
  if (auto leaving = about_to_go(taint, text)) return leaving;
  if (auto start = start_of(node, taint, text)) return start;
  return work_or_illness(node, taint, text);
}

}  // namespace

std::optional<NodeConditionTaints> condition_taints_of(const Node& node,
                                                       const std::vector<const Taint*>& taints) {
  std::optional<NodeConditionTaints> common;
  for (const Taint* taint : taints) {
    if (lifecycle_of(*taint) == Unavailable::cordoned) continue;
    auto ailment = condition_taints_of(node, *taint);
    if (!ailment || (common && common->what != ailment->what)) return std::nullopt;
    common = std::move(ailment);
  }
  return common;
}

}  // namespace gpu::diagnose
