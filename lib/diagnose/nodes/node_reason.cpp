#include "diagnose/nodes/node_reason.hpp"

#include <algorithm>
#include <set>

#include "base/contains.hpp"
#include "diagnose/nodes/blocker_detail.hpp"
#include "diagnose/nodes/shortage_text.hpp"
#include "diagnose/stack/daemon_reach.hpp"
#include "diagnose/stack/node_maintenance.hpp"
#include "model/gpu_resource.hpp"
#include "model/requests.hpp"
#include "model/selector_text.hpp"
#include "model/toleration.hpp"
#include "scheduler/cluster/amounts.hpp"

namespace gpu::diagnose {
namespace {

constexpr std::string_view kInsufficient = "Insufficient ";

BlockerKind word_of_resource(std::string_view name) {
  if (name == "cpu") return BlockerKind::little_cpu;
  if (name == "memory") return BlockerKind::little_memory;
  if (name == "ephemeral-storage") return BlockerKind::little_storage;
  return gpu_resource(name) ? BlockerKind::few_free_gpus : BlockerKind::few_resources;
}

BlockerKind word_of_text(std::string_view reason) {
  if (reason == "Too many pods") return BlockerKind::too_many_pods;
  if (reason.starts_with(kInsufficient))
    return word_of_resource(reason.substr(kInsufficient.size()));
  if (contains(reason, "PersistentVolume's node affinity") ||
      contains(reason, "volume node affinity conflict"))
    return BlockerKind::volume_elsewhere;
  if (contains(reason, "anti-affinity")) return BlockerKind::pod_anti_affinity;
  return BlockerKind::other;
}

/// Of a node that has none of the GPUs that are asked for. Cards that are cut into slices are GPUs
/// that are not free: the node's note says what there is.
BlockerKind word_of_fault(Code code) {
  if (code == Code::device_plugin_missing) return BlockerKind::no_device_plugin;
  if (code == Code::device_plugin_unhealthy) return BlockerKind::unhealthy_device_plugin;
  if (code == Code::driver_missing) return BlockerKind::no_driver;
  return code == Code::resource_renamed ? BlockerKind::renamed_gpus : BlockerKind::few_free_gpus;
}

/// The labels of a node that its selector asks for in vain, with what the node has there.
std::string selector_detail(const Pod& pod, const Node& node) {
  std::string detail;
  std::set<std::string_view> told;
  const auto add = [&](const std::string& key) {
    const std::string* const has = node.labels.find(key);
    if (!told.insert(key).second) return;
    detail += (detail.empty() ? "" : ", ") + (has == nullptr ? "no " + key : key + "=" + *has);
  };
  for (const auto& [key, value] : pod.node_selector)
    if (const std::string* has = node.labels.find(key); has == nullptr || *has != value) add(key);
  if (const auto& affinity = pod.placement.node_affinity; affinity && !matches(*affinity, node))
    for (const NodeSelectorTerm& term : *affinity)
      for (const Requirement& requirement : term.expressions)
        if (!holds(requirement, node.labels)) add(requirement.key);
  return detail;
}

/// Whether it offers GPUs of whatever name.
bool has_gpus(const Node& node) {
  return std::any_of(node.allocatable.begin(), node.allocatable.end(), [](const auto& entry) {
    return entry.second.value() > 0 && gpu_resource(entry.first);
  });
}

}  // namespace

NodeReasons::NodeReasons(const scheduler::Cluster& cluster, const Pod& pod,
                         const scheduler::Verdict& verdict)
    : cluster_(cluster), pod_(pod), verdict_(verdict), faults_(cluster.shared<StackFaults>()) {
  for (const auto& [name, amount] : effective_requests(pod)) {
    const auto resource = cluster.resource(name);
    if (!resource || !scheduler::is_compared(name)) continue;
    requests_.push_back({*resource, scheduler::compared_amount(name, amount)});
    if (gpu_resource(name) && amount.value() > 0) gpus_.push_back(requests_.back());
  }
  for (const std::string& reason : verdict.reasons) {
    Text text{.word = word_of_text(reason)};
    if (reason.starts_with(kInsufficient)) {
      const std::string_view name = std::string_view(reason).substr(kInsufficient.size());
      text.resource = cluster.resource(name);
      text.is_gpu = gpu_resource(name).has_value();
    }
    texts_.push_back(text);
  }
}

const std::optional<StackFault>& NodeReasons::fault(std::size_t node,
                                                    scheduler::ResourceId resource) const {
  return faults_.of(node, resource);
}

bool NodeReasons::is_offered(scheduler::ResourceId resource) const {
  const auto [known, is_new] = offered_.try_emplace(resource, false);
  if (!is_new) return known->second;
  const auto selects = [&](const scheduler::NodeVerdict& node) {
    const auto& blockers = verdict_.blockers_of(node);
    return !node.is_left_out &&
           std::none_of(blockers.begin(), blockers.end(), [](const scheduler::FilterFailure& each) {
             return each.filter == scheduler::Filter::node_affinity ||
                    each.filter == scheduler::Filter::node_name;
           });
  };
  known->second = std::any_of(
      verdict_.nodes.begin(), verdict_.nodes.end(), [&](const scheduler::NodeVerdict& node) {
        return cluster_.nodes()[node.node].allocatable[resource] > 0 && selects(node);
      });
  return known->second;
}

std::int64_t NodeReasons::free_of(std::size_t node, scheduler::ResourceId resource) const {
  const scheduler::NodeState& state = cluster_.nodes()[node];
  return std::max<std::int64_t>(0, state.allocatable[resource] - state.requested[resource]);
}

BlockerKind NodeReasons::resource_kind(const scheduler::NodeVerdict& node, const Text& text) const {
  if (!text.is_gpu || !text.resource) return text.is_gpu ? BlockerKind::no_gpus : text.word;
  const scheduler::NodeState& state = cluster_.nodes()[node.node];
  const auto asked = std::find_if(gpus_.begin(), gpus_.end(), [&](const scheduler::Amount& amount) {
    return amount.resource == *text.resource;
  });
  const std::int64_t wanted = asked == gpus_.end() ? 0 : asked->value;
  const std::int64_t allocatable = state.allocatable[*text.resource];
  const auto& fault = this->fault(node.node, *text.resource);
  if (fault && fault->code == Code::gpu_unhealthy) {
    const std::string_view name = cluster_.name_of(*text.resource);
    const std::int64_t capacity = amount_of(state.node->capacity, name).value();
    if (capacity - state.requested[*text.resource] >= wanted) return BlockerKind::unhealthy_gpus;
  }
  if (allocatable > 0)
    return wanted > allocatable ? BlockerKind::few_gpus : BlockerKind::few_free_gpus;
  if (!fault) return BlockerKind::no_gpus;
  // Where other nodes have the name that is asked for, that name is meant.
  if (fault->code == Code::resource_renamed && is_offered(*text.resource))
    return BlockerKind::few_free_gpus;
  return word_of_fault(fault->code);
}

std::optional<BlockerKind> NodeReasons::taint_kind(const scheduler::NodeVerdict& node) const {
  const Node& of = *cluster_.nodes()[node.node].node;
  std::optional<BlockerKind> word;
  for (const Taint* taint : untolerated(pod_.tolerations, of)) {
    const Unavailable life = lifecycle_of(*taint);
    if (life == Unavailable::cordoned && of.unschedulable) continue;
    if (life == Unavailable::node_not_ready) return BlockerKind::not_ready;
    word = life == Unavailable::cordoned ? BlockerKind::cordoned : BlockerKind::taint;
  }
  return word;
}

std::optional<BlockerKind> NodeReasons::kind_of(const scheduler::NodeVerdict& node,
                                                const scheduler::FilterFailure& blocker) const {
  const Text& text = texts_[blocker.reason];
  switch (blocker.filter) {
    case scheduler::Filter::node_unschedulable:
      return BlockerKind::cordoned;
    case scheduler::Filter::node_name:
      return BlockerKind::other_node_name;
    case scheduler::Filter::taint_toleration:
      return taint_kind(node);
    case scheduler::Filter::node_affinity:
      return BlockerKind::node_selector;
    case scheduler::Filter::node_ports:
      return BlockerKind::port_taken;
    case scheduler::Filter::node_resources_fit:
      return resource_kind(node, text);
    case scheduler::Filter::volume_restrictions:
      return BlockerKind::volume_in_use;
    case scheduler::Filter::node_volume_limits:
      return BlockerKind::many_volumes;
    case scheduler::Filter::volume_binding:
      return text.word == BlockerKind::volume_elsewhere ? BlockerKind::volume_elsewhere
                                                        : BlockerKind::no_volume;
    case scheduler::Filter::volume_zone:
      return BlockerKind::volume_elsewhere;
    case scheduler::Filter::pod_topology_spread:
      return BlockerKind::spread;
    case scheduler::Filter::inter_pod_affinity:
      return text.word == BlockerKind::pod_anti_affinity ? text.word : BlockerKind::pod_affinity;
    case scheduler::Filter::dynamic_resources:
      return BlockerKind::no_devices;
    case scheduler::Filter::node_declared_features:
      return BlockerKind::missing_feature;
  }
  return BlockerKind::other;
}

BlockerKinds NodeReasons::kinds_of(const scheduler::NodeVerdict& node) const {
  BlockerKinds words;
  for (const scheduler::FilterFailure& blocker : verdict_.blockers_of(node))
    if (const auto word = kind_of(node, blocker)) words.add(*word);
  if (node.is_left_out && words.empty()) words.add(BlockerKind::node_selector);
  return words;
}

std::string NodeReasons::detail_of(const scheduler::NodeVerdict& node, BlockerKind word) const {
  const Node& of = *cluster_.nodes()[node.node].node;
  if (word == BlockerKind::node_selector) return selector_detail(pod_, of);
  if (word == BlockerKind::cordoned)
    if (auto work = maintenance_of(of)) return std::move(work->what);
  if (word == BlockerKind::taint || word == BlockerKind::not_ready) {
    std::string detail;
    for (const Taint* taint : untolerated(pod_.tolerations, of))
      if (lifecycle_of(*taint) != Unavailable::cordoned || !of.unschedulable)
        detail += (detail.empty() ? "" : ", ") + text_of(*taint);
    return detail;
  }
  for (const scheduler::Amount& gpu : gpus_) {
    const auto& fault = this->fault(node.node, gpu.resource);
    if (!fault) continue;
    const bool is_of_stack =
        word == BlockerKind::no_device_plugin || word == BlockerKind::no_driver ||
        word == BlockerKind::unhealthy_device_plugin || word == BlockerKind::renamed_gpus ||
        word == BlockerKind::unhealthy_gpus;
    if (is_of_stack) return fault->detail;
  }
  std::string shortage = shortage_detail(cluster_, *this, node, word);
  return shortage.empty() ? details().detail(word, node.node) : shortage;
}

std::string_view NodeReasons::resource_of(const scheduler::NodeVerdict& node,
                                          BlockerKind word) const {
  for (const scheduler::FilterFailure& blocker : verdict_.blockers_of(node))
    if (const Text& text = texts_[blocker.reason]; text.resource && kind_of(node, blocker) == word)
      return cluster_.name_of(*text.resource);
  return {};
}

const BlockerDetails& NodeReasons::details() const {
  if (!details_) details_ = std::make_shared<const BlockerDetails>(cluster_, pod_);
  return *details_;
}

GroupBlocker NodeReasons::blocker_of(const scheduler::NodeVerdict& node, BlockerKind word) const {
  GroupBlocker made{.code = code_of(word), .title = std::string(text_of(word))};
  for (const scheduler::FilterFailure& blocker : verdict_.blockers_of(node)) {
    if (kind_of(node, blocker) != word) continue;
    made.filter = blocker.filter;
    made.message = verdict_.reasons[blocker.reason];
    if (word == BlockerKind::no_gpus && has_gpus(*cluster_.nodes()[node.node].node) &&
        made.message.starts_with(kInsufficient))
      made.title = "no " + made.message.substr(kInsufficient.size());
    if (word == BlockerKind::few_resources)
      made.title = "too few " + made.message.substr(kInsufficient.size());
    break;
  }
  made.detail = detail_of(node, word);
  return made;
}

}  // namespace gpu::diagnose
