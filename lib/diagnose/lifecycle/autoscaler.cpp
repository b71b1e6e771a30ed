#include "diagnose/lifecycle/autoscaler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "diagnose/answer/patience.hpp"
#include "model/gpu/gpu_resource.hpp"
#include "model/snapshot/requests.hpp"
#include "scheduler/cluster/pod_events.hpp"

namespace gpu::diagnose {
namespace {

constexpr std::string_view kNodePoolLabel = "karpenter.sh/nodepool";

enum class Autoscaler { cluster_autoscaler, karpenter };

std::optional<Autoscaler> autoscaler_of(const Event& event) {
  if (event.reporter.find("cluster-autoscaler") != std::string::npos)
    return Autoscaler::cluster_autoscaler;
  if (event.reporter.find("karpenter") != std::string::npos) return Autoscaler::karpenter;
  return std::nullopt;
}

/// What a part of an autoscaler's refusal means, and what helps.
struct Meaning {
  Autoscaler by;
  Code code;
  std::string_view part;
  std::string_view advice;
  std::string_view command = {};
};

// The first that is in the message counts: limits before what does not fit.
constexpr std::array<Meaning, 15> kMeanings = {{
    {Autoscaler::karpenter, Code::autoscaler_limit, "exceed limits for nodepool",
     "raise the NodePool's spec.limits, or end what runs on its nodes"},
    {Autoscaler::karpenter, Code::autoscaler_limit, "limits have been exhausted",
     "raise the NodePool's spec.limits, or end what runs on its nodes"},
    {Autoscaler::karpenter, Code::autoscaler_no_match, "did not tolerate taint",
     "tolerate the NodePool's taint, or let another NodePool bring such nodes"},
    {Autoscaler::karpenter, Code::autoscaler_no_match, "no instance type has enough resources",
     "allow an instance type with as many GPUs in a NodePool's spec.template.spec.requirements, "
     "and "
     "its GPUs in spec.limits, or ask for less"},
    {Autoscaler::karpenter, Code::autoscaler_no_match, "required offering",
     "allow more zones or capacity types in a NodePool's spec.template.spec.requirements"},
    {Autoscaler::karpenter, Code::autoscaler_no_match, "incompatible",
     "let a NodePool's spec.template.spec.requirements allow what the pod selects"},
    {Autoscaler::cluster_autoscaler, Code::autoscaler_limit, "max node group size reached",
     "raise the largest size of the node group, or end what runs on its nodes"},
    {Autoscaler::cluster_autoscaler, Code::autoscaler_limit, "in backoff after failed scale-up",
     "the last scale-up failed, often for want of the cloud's quota or stock: see what it says",
     "kubectl get configmap cluster-autoscaler-status -n kube-system -o yaml"},
    {Autoscaler::cluster_autoscaler, Code::autoscaler_limit, "max total nodes in cluster reached",
     "raise cluster-autoscaler's --max-nodes-total"},
    {Autoscaler::cluster_autoscaler, Code::autoscaler_limit, "max cluster gpu",
     "raise cluster-autoscaler's --gpu-total"},
    {Autoscaler::cluster_autoscaler, Code::autoscaler_limit, "max cluster cpu",
     "raise cluster-autoscaler's --cores-total"},
    {Autoscaler::cluster_autoscaler, Code::autoscaler_limit, "max cluster",
     "raise cluster-autoscaler's limits for the whole cluster"},
    {Autoscaler::cluster_autoscaler, Code::autoscaler_no_match, "untolerated taint",
     "tolerate the taint of a node group that has what the pod needs"},
    {Autoscaler::cluster_autoscaler, Code::autoscaler_no_match, "Insufficient ",
     "give it a node group whose nodes are large enough; where one has no node yet, tell what its "
     "nodes have (on AWS by tags k8s.io/cluster-autoscaler/node-template/resources/NAME)"},
    {Autoscaler::cluster_autoscaler, Code::autoscaler_no_match, "node affinity/selector",
     "give it a node group with the labels that the pod selects; where one has no node yet, tell "
     "them (on AWS by tags k8s.io/cluster-autoscaler/node-template/label/KEY)"},
}};

const Meaning* meaning_of(Autoscaler autoscaler, std::string_view message) {
  const auto* const found =
      std::find_if(kMeanings.begin(), kMeanings.end(), [&](const Meaning& each) {
        return each.by == autoscaler && message.find(each.part) != std::string_view::npos;
      });
  return found == kMeanings.end() ? nullptr : found;
}

bool is_refusal(Autoscaler autoscaler, const Event& event) {
  if (autoscaler == Autoscaler::cluster_autoscaler) return event.reason == "NotTriggerScaleUp";
  return event.reason == "FailedScheduling" || event.reason == "NoCompatibleInstanceTypes";
}

std::string_view name_of(Autoscaler autoscaler) {
  return autoscaler == Autoscaler::karpenter ? "Karpenter" : "cluster-autoscaler";
}

/// What stands behind `before`, as a name: up to what ends one.
std::string name_behind(std::string_view text, std::string_view before) {
  const std::size_t at = text.find(before);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + before.size());
  return std::string(text.substr(0, text.find_first_of("\"),; ")));
}

/// The NodePool that Karpenter names beside a part of its message: `(NodePool=gpu)` since 1.0,
/// `nodepool: "gpu"` and `nodepool "gpu"` before.
std::string node_pool_in(std::string_view message, std::string_view part) {
  message.remove_prefix(std::min(message.size(), message.find(part)));
  for (const std::string_view before : {"(NodePool=", "nodepool: \"", "nodepool \""})
    if (std::string name = name_behind(message, before); !name.empty()) return name;
  return {};
}

/// The key of a taint that Karpenter names: "nvidia.com/gpu=true:NoSchedule", since 1.0 behind
/// "(taint=".
std::string taint_key_in(std::string_view text) {
  for (const std::string_view before :
       {"did not tolerate taint (taint=", "did not tolerate taint "})
    if (const std::string taint = name_behind(text, before); !taint.empty())
      return taint.substr(0, taint.find_first_of("=:"));
  return {};
}

/// Without what says no more than that it is about the pod.
std::string_view told(std::string_view message) {
  for (const std::string_view lead : {"pod didn't trigger scale-up: ", "Failed to schedule pod, "})
    if (message.starts_with(lead)) message.remove_prefix(lead.size());
  return message;
}

/// Karpenter's message by NodePools: "; " stands between them.
std::vector<std::string_view> parts_of(std::string_view message) {
  std::vector<std::string_view> parts;
  while (!message.empty()) {
    const std::size_t end = std::min(message.find("; "), message.size());
    parts.push_back(message.substr(0, end));
    message.remove_prefix(std::min(message.size(), end + 2));
  }
  return parts;
}

bool asks_for_gpus(const Pod& pod) {
  const ResourceList requests = effective_requests(pod);
  return std::any_of(requests.begin(), requests.end(), [](const auto& each) {
    return each.second.value() > 0 && gpu_resource(each.first);
  });
}

/// Whether nodes of the NodePool have GPUs that the pod asks for.
bool has_the_gpus(const scheduler::Cluster& cluster, const Pod& pod, std::string_view node_pool) {
  const ResourceList requests = effective_requests(pod);
  return std::any_of(cluster.nodes().begin(), cluster.nodes().end(),
                     [&](const scheduler::NodeState& node) {
                       return value_of(node.node->labels, kNodePoolLabel) == node_pool &&
                              std::any_of(requests.begin(), requests.end(), [&](const auto& each) {
                                return each.second.value() > 0 && gpu_resource(each.first) &&
                                       amount_of(node.node->allocatable, each.first).value() > 0;
                              });
                     });
}

/// What Karpenter says of the NodePool that the pod is for: the one that it selects; that has a
/// GPU's taint; whose nodes have the GPUs. All of it where none can be told from the others: of a
/// NodePool at its limits Karpenter does not look whether it would do.
std::string_view telling_part(const scheduler::Cluster& cluster, const Pod& pod,
                              std::string_view message) {
  const std::vector<std::string_view> parts = parts_of(message);
  const auto find = [&](auto wanted) -> std::optional<std::string_view> {
    const auto found = std::find_if(parts.begin(), parts.end(), wanted);
    return found == parts.end() ? std::nullopt : std::optional(*found);
  };
  if (const std::string_view selected = value_of(pod.node_selector, kNodePoolLabel);
      !selected.empty())
    if (const auto part =
            find([&](std::string_view each) { return node_pool_in(each, {}) == selected; }))
      return *part;
  if (!asks_for_gpus(pod)) return message;
  if (const auto part =
          find([](std::string_view each) { return gpu_resource(taint_key_in(each)).has_value(); }))
    return *part;
  if (const auto part = find([&](std::string_view each) {
        const std::string node_pool = node_pool_in(each, {});
        return !node_pool.empty() && has_the_gpus(cluster, pod, node_pool);
      }))
    return *part;
  return message;
}

std::string summary_of(Autoscaler autoscaler, std::string_view message, Code code,
                       const std::string& node_pool, Code reason) {
  const std::string_view lead = reason == Code::node_selector_mismatch
                                    ? "no node has the labels that it selects"
                                    : "no node has room";
  if (!node_pool.empty())
    return fmt::format("{}, and Karpenter may add none: the limits of NodePool {} are reached",
                       lead, node_pool);
  const std::string_view why = told(message);
  return code == Code::autoscaler_limit
             ? fmt::format("{}, and {} may add none: {}", lead, name_of(autoscaler), why)
             : fmt::format("{}, and none that {} could add would fit: {}", lead,
                           name_of(autoscaler), why);
}

/// `message`: the part of `all` that counts.
AutoscalerWord refusal(Autoscaler autoscaler, std::string_view message, const std::string& all,
                       Code reason) {
  AutoscalerWord word{.text = fmt::format("{} says: {}", name_of(autoscaler), all)};
  const Meaning* const meaning = meaning_of(autoscaler, message);
  word.code = meaning == nullptr ? Code::autoscaler_no_match : meaning->code;
  std::string node_pool;
  if (*word.code == Code::autoscaler_limit && autoscaler == Autoscaler::karpenter)
    node_pool = node_pool_in(message, meaning->part);
  word.summary = summary_of(autoscaler, message, *word.code, node_pool, reason);
  // The headline has all of it.
  if (node_pool.empty() && message == all) word.text.clear();
  if (meaning == nullptr) return word;
  Advice advice{.summary = std::string(meaning->advice), .command = std::string(meaning->command)};
  if (!node_pool.empty()) {
    advice.summary =
        fmt::format("raise spec.limits of NodePool {}, or end what runs on its nodes", node_pool);
    advice.command = fmt::format("kubectl edit nodepool {}", shell_quoted(node_pool));
  }
  word.advice = std::move(advice);
  return word;
}

bool brings_node(Autoscaler autoscaler, const Event& event) {
  return event.reason ==
         (autoscaler == Autoscaler::cluster_autoscaler ? "TriggeredScaleUp" : "Nominated");
}

/// A node is on its way, unless that was too long ago.
std::optional<Advice> advice_to_wait(Autoscaler autoscaler, const Event& event,
                                     const std::optional<Time>& now) {
  const std::optional<Time> when = event.last ? event.last : event.first;
  if (!brings_node(autoscaler, event) || !now || !when || *when > *now) return std::nullopt;
  if (*now - *when > patience_for(WaitFor::new_node)) return std::nullopt;
  return Advice{
      .summary = fmt::format("wait for the node: {} said {} ago that it brings one: {}",
                             name_of(autoscaler), human_duration(*now - *when), event.message),
      .command = {}};
}

}  // namespace

bool may_help_by_nodes(Code reason, Code refusal) {
  static constexpr std::array<Code, 9> kCodes = {
      Code::insufficient_gpus,      Code::insufficient_extended_resource,
      Code::gpus_scattered,         Code::request_exceeds_every_node,
      Code::insufficient_cpu,       Code::insufficient_memory,
      Code::insufficient_storage,   Code::too_many_pods,
      Code::resource_not_advertised};
  if (reason == Code::node_selector_mismatch) return refusal == Code::autoscaler_limit;
  return std::find(kCodes.begin(), kCodes.end(), reason) != kCodes.end();
}

std::optional<AutoscalerWord> autoscaler_word(const scheduler::Cluster& cluster, const Pod& pod,
                                              Code reason, const std::optional<Time>& now) {
  for (const Event* event : events_of(cluster, pod)) {
    const auto autoscaler = autoscaler_of(*event);
    if (!autoscaler) continue;
    if (is_refusal(*autoscaler, *event)) {
      const std::string& all = event->message;
      const bool has_pools = *autoscaler == Autoscaler::karpenter;
      return refusal(*autoscaler, has_pools ? telling_part(cluster, pod, all) : all, all, reason);
    }
    if (auto wait = advice_to_wait(*autoscaler, *event, now))
      return AutoscalerWord{.advice = *std::move(wait)};
    return AutoscalerWord{.text = fmt::format("{} says: {}", name_of(*autoscaler), event->message)};
  }
  return std::nullopt;
}

}  // namespace gpu::diagnose
