#include "diagnose/lifecycle/autoscaler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "diagnose/answer/patience.hpp"
#include "diagnose/lifecycle/autoscaler_event.hpp"
#include "diagnose/lifecycle/scale_up_failure.hpp"
#include "diagnose/lifecycle/volume_zone.hpp"
#include "model/gpu/gpu_resource.hpp"
#include "model/snapshot/requests.hpp"
#include "scheduler/cluster/pod_events.hpp"

namespace gpu::diagnose {
namespace {

constexpr std::string_view kNodePoolLabel = "karpenter.sh/nodepool";

/// What a node group without nodes has to tell of those that it would bring.
enum class Tags { none, of_resources, of_labels };

/// What a part of an autoscaler's refusal means, and what helps.
struct Meaning {
  Autoscaler by;
  Code code;
  std::string_view part;
  std::string_view advice;
  std::string_view command = {};
  Tags tags = Tags::none;
};

constexpr std::string_view kVolumeConflict = "volume node affinity conflict";

// The first that is in the message counts: limits before what does not fit.
constexpr std::array<Meaning, 16> kMeanings = {{
    {Autoscaler::karpenter, Code::autoscaler_limit, "exceed limits for nodepool",
     "raise the NodePool's spec.limits, or end what runs on its nodes"},
    {Autoscaler::karpenter, Code::autoscaler_limit, "limits have been exhausted",
     "raise the NodePool's spec.limits, or end what runs on its nodes"},
    {Autoscaler::karpenter, Code::autoscaler_no_match, "did not tolerate taint",
     "tolerate the NodePool's taint, or let another NodePool bring such nodes"},
    {Autoscaler::karpenter, Code::autoscaler_no_match, "no instance type has enough resources",
     "allow an instance type with as many GPUs in a NodePool's spec.template.spec.requirements, "
     "and "
     "its GPUs in spec.limits, or request less"},
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
    {Autoscaler::cluster_autoscaler, Code::autoscaler_no_match, kVolumeConflict,
     "give the volume's zone a node group with what the pod needs, or create the volume again in "
     "the "
     "zone of such a group"},
    {Autoscaler::cluster_autoscaler,
     Code::autoscaler_no_match,
     "Insufficient ",
     "give it a node group whose nodes are large enough",
     {},
     Tags::of_resources},
    {Autoscaler::cluster_autoscaler,
     Code::autoscaler_no_match,
     "node affinity/selector",
     "give it a node group with the labels that the pod selects",
     {},
     Tags::of_labels},
}};

constexpr std::string_view kFullGroup = "max node group size reached";
constexpr std::string_view kBackoff = "in backoff after failed scale-up";

/// `passed_over`: a part that does not count; empty: all do.
const Meaning* meaning_of(Autoscaler autoscaler, std::string_view message,
                          std::string_view passed_over = {}) {
  const auto* const found =
      std::find_if(kMeanings.begin(), kMeanings.end(), [&](const Meaning& each) {
        return each.by == autoscaler && each.part != passed_over &&
               message.find(each.part) != std::string_view::npos;
      });
  return found == kMeanings.end() ? nullptr : found;
}

bool is_refusal(Autoscaler autoscaler, const Event& event) {
  if (autoscaler == Autoscaler::cluster_autoscaler) return event.reason == "NotTriggerScaleUp";
  return event.reason == "FailedScheduling" || event.reason == "NoCompatibleInstanceTypes";
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

/// Whether any node has GPUs of the kinds that the pod asks for, free or not.
bool is_on_any_node(const scheduler::Cluster& cluster, const Pod& pod) {
  const ResourceList requests = effective_requests(pod);
  return std::any_of(requests.begin(), requests.end(), [&](const auto& each) {
    return each.second.value() > 0 && gpu_resource(each.first) &&
           std::any_of(cluster.nodes().begin(), cluster.nodes().end(), [&](const auto& node) {
             return amount_of(node.node->allocatable, each.first).value() > 0;
           });
  });
}

/// A group that is as large as it may be has nodes: where none of all nodes has the GPUs, it is not
/// the group that the pod is for, and another part of the message counts.
const Meaning* meaning_for(const scheduler::Cluster& cluster, const Pod& pod, Autoscaler autoscaler,
                           std::string_view message) {
  const Meaning* const first = meaning_of(autoscaler, message);
  if (first == nullptr || first->part != kFullGroup || !asks_for_gpus(pod) ||
      is_on_any_node(cluster, pod))
    return first;
  const Meaning* const other = meaning_of(autoscaler, message, kFullGroup);
  return other == nullptr ? first : other;
}

/// "; where one has no node yet, its template has to tell ...": cluster-autoscaler knows what the
/// nodes of such a group would have by tags alone.
std::string tags_text(Tags tags, const Pod& pod) {
  std::vector<std::string> names;
  if (tags == Tags::of_resources)
    for (const auto& [name, amount] : effective_requests(pod))
      if (amount.value() > 0 && gpu_resource(name)) names.push_back("resources/" + name);
  if (tags == Tags::of_labels)
    for (const auto& [key, value] : pod.node_selector)
      names.push_back(fmt::format("label/{}={}", key, value));
  if (tags == Tags::none) return {};
  if (names.empty())
    names.emplace_back(tags == Tags::of_resources ? "resources/NAME" : "label/KEY");
  std::string list;
  for (const std::string& name : names)
    list +=
        fmt::format("{}k8s.io/cluster-autoscaler/node-template/{}", list.empty() ? "" : ", ", name);
  return fmt::format(
      "; where one has no node yet, describe what its nodes have (on AWS by {} {} of its Auto "
      "Scaling "
      "group)",
      names.size() == 1 ? "the tag" : "the tags", list);
}

std::string summary_of(Autoscaler autoscaler, std::string_view message, Code code,
                       const std::string& node_pool, Code reason) {
  const std::string_view lead = lead_of(reason);
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
AutoscalerWord refusal(const scheduler::Cluster& cluster, const Pod& pod, Autoscaler autoscaler,
                       std::string_view message, const std::string& all, Code reason) {
  AutoscalerWord word{.text = fmt::format("{} says: {}", name_of(autoscaler), all)};
  const Meaning* const meaning = meaning_for(cluster, pod, autoscaler, message);
  word.code = meaning == nullptr ? Code::autoscaler_no_match : meaning->code;
  std::string node_pool;
  if (*word.code == Code::autoscaler_limit && autoscaler == Autoscaler::karpenter)
    node_pool = node_pool_in(message, meaning->part);
  word.summary = summary_of(autoscaler, message, *word.code, node_pool, reason);
  // The headline has all of it.
  if (node_pool.empty() && message == all) word.text.clear();
  if (meaning == nullptr) return word;
  Advice advice{.summary = std::string(meaning->advice) + tags_text(meaning->tags, pod),
                .command = std::string(meaning->command)};
  if (meaning->part == kVolumeConflict)
    if (const std::string zones = volume_zone_text(cluster, pod); !zones.empty())
      advice.summary += ": " + zones;
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

/// A node that was promised so long ago that it should be there. Where one is there and lacks its
/// GPUs, that is the reason already.
std::optional<Advice> advice_on_overdue(Autoscaler autoscaler, const Event& event, Code reason,
                                        const std::optional<Time>& now) {
  const std::optional<Time> when = event.last ? event.last : event.first;
  if (!brings_node(autoscaler, event) || !now || !when || *when > *now) return std::nullopt;
  if (reason == Code::device_plugin_missing || reason == Code::device_plugin_unhealthy)
    return std::nullopt;
  return Advice{
      .summary =
          fmt::format("see why the node has not come: {} said {} ago that it brings one, and "
                      "nodes take at most {}",
                      name_of(autoscaler), human_duration(*now - *when),
                      human_duration(patience_for(WaitFor::new_node))),
      .command = autoscaler == Autoscaler::karpenter
                     ? "kubectl get nodeclaims -o wide"
                     : "kubectl describe configmap -n kube-system cluster-autoscaler-status"};
}

/// Whether a word says more than a failure before it: a limit that somebody set, not that it waits
/// after the failure, nor what other groups lack.
bool stands_for_itself(Autoscaler autoscaler, const Event& event) {
  if (!is_refusal(autoscaler, event)) return false;
  const Meaning* const meaning = meaning_of(autoscaler, event.message, kBackoff);
  return event.message.find(kBackoff) == std::string::npos && meaning != nullptr &&
         meaning->code == Code::autoscaler_limit;
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
  const Event* const failure = newest_failure(cluster, pod);
  for (const Event* event : events_of(cluster, pod)) {
    const auto autoscaler = autoscaler_of(*event);
    if (!autoscaler) continue;
    if (failure != nullptr && is_of_another_group(cluster, pod, *event, *failure)) {
      AutoscalerWord word = failed_scale_up(*failure, pod, reason);
      word.text += fmt::format("{} Since then it says of another node group: {}",
                               failure->message.ends_with('.') ? "" : ".", event->message);
      return word;
    }
    if (auto wait = advice_to_wait(*autoscaler, *event, now))
      return AutoscalerWord{.advice = *std::move(wait)};
    if (failure != nullptr && !stands_for_itself(*autoscaler, *event))
      return failed_scale_up(*failure, pod, reason);
    if (is_refusal(*autoscaler, *event)) {
      const std::string& all = event->message;
      const bool has_pools = *autoscaler == Autoscaler::karpenter;
      return refusal(cluster, pod, *autoscaler, has_pools ? telling_part(cluster, pod, all) : all,
                     all, reason);
    }
    return AutoscalerWord{.text = fmt::format("{} says: {}", name_of(*autoscaler), event->message),
                          .advice = advice_on_overdue(*autoscaler, *event, reason, now)};
  }
  if (failure != nullptr) return failed_scale_up(*failure, pod, reason);
  return std::nullopt;
}

}  // namespace gpu::diagnose
