#include "schedule/node_reason.hpp"

#include <algorithm>
#include <set>

#include "base/contains.hpp"
#include "model/gpu_resource.hpp"
#include "model/requests.hpp"
#include "model/toleration.hpp"
#include "schedule/amounts.hpp"
#include "schedule/daemon_reach.hpp"
#include "schedule/node_work.hpp"
#include "schedule/placement_fact.hpp"
#include "schedule/selector_text.hpp"
#include "schedule/shortage_text.hpp"

namespace gpu::schedule {
namespace {

constexpr std::string_view kInsufficient = "Insufficient ";

Word word_of_resource(std::string_view name) {
  if (name == "cpu") return Word::little_cpu;
  if (name == "memory") return Word::little_memory;
  if (name == "ephemeral-storage") return Word::little_storage;
  return gpu_resource(name) ? Word::few_free_gpus : Word::few_resources;
}

Word word_of_text(std::string_view reason) {
  if (reason == "Too many pods") return Word::too_many_pods;
  if (reason.starts_with(kInsufficient))
    return word_of_resource(reason.substr(kInsufficient.size()));
  if (contains(reason, "PersistentVolume's node affinity") ||
      contains(reason, "volume node affinity conflict"))
    return Word::volume_elsewhere;
  if (contains(reason, "anti-affinity")) return Word::pod_anti_affinity;
  return Word::other;
}

/// Of a node that has none of the GPUs that are asked for. Cards that are cut into slices are GPUs
/// that are not free: the node's note says what there is.
Word word_of_fault(Code code) {
  if (code == Code::device_plugin_missing) return Word::no_device_plugin;
  if (code == Code::device_plugin_unhealthy) return Word::unhealthy_device_plugin;
  if (code == Code::driver_missing) return Word::no_driver;
  return code == Code::resource_renamed ? Word::renamed_gpus : Word::few_free_gpus;
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

NodeReasons::NodeReasons(const Cluster& cluster, const Pod& pod, const Verdict& verdict)
    : cluster_(cluster), pod_(pod), verdict_(verdict), faults_(cluster.shared<StackFaults>()) {
  for (const auto& [name, amount] : effective_requests(pod)) {
    const auto resource = cluster.resource(name);
    if (!resource || !is_compared(name)) continue;
    asks_.push_back({*resource, compared_amount(name, amount)});
    if (gpu_resource(name) && amount.value() > 0) gpus_.push_back(asks_.back());
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

const std::optional<StackFault>& NodeReasons::fault(std::size_t node, ResourceId resource) const {
  return faults_.of(node, resource);
}

bool NodeReasons::is_offered(ResourceId resource) const {
  const auto [known, is_new] = offered_.try_emplace(resource, false);
  if (!is_new) return known->second;
  const auto selects = [&](const NodeVerdict& node) {
    const auto& blockers = verdict_.blockers_of(node);
    return !node.is_left_out &&
           std::none_of(blockers.begin(), blockers.end(), [](const Blocker& each) {
             return each.filter == Filter::node_affinity || each.filter == Filter::node_name;
           });
  };
  known->second =
      std::any_of(verdict_.nodes.begin(), verdict_.nodes.end(), [&](const NodeVerdict& node) {
        return cluster_.nodes()[node.node].allocatable[resource] > 0 && selects(node);
      });
  return known->second;
}

std::int64_t NodeReasons::free_of(std::size_t node, ResourceId resource) const {
  const NodeState& state = cluster_.nodes()[node];
  return std::max<std::int64_t>(0, state.allocatable[resource] - state.requested[resource]);
}

Word NodeReasons::resource_word(const NodeVerdict& node, const Text& text) const {
  if (!text.is_gpu || !text.resource) return text.is_gpu ? Word::no_gpus : text.word;
  const NodeState& state = cluster_.nodes()[node.node];
  const auto asked = std::find_if(gpus_.begin(), gpus_.end(), [&](const Amount& amount) {
    return amount.resource == *text.resource;
  });
  const std::int64_t wanted = asked == gpus_.end() ? 0 : asked->value;
  const std::int64_t allocatable = state.allocatable[*text.resource];
  const auto& fault = this->fault(node.node, *text.resource);
  if (fault && fault->code == Code::gpu_unhealthy) {
    const std::string_view name = cluster_.name_of(*text.resource);
    const std::int64_t capacity = amount_of(state.node->capacity, name).value();
    if (capacity - state.requested[*text.resource] >= wanted) return Word::unhealthy_gpus;
  }
  if (allocatable > 0) return wanted > allocatable ? Word::few_gpus : Word::few_free_gpus;
  if (!fault) return Word::no_gpus;
  // Where other nodes have the name that is asked for, that name is meant.
  if (fault->code == Code::resource_renamed && is_offered(*text.resource))
    return Word::few_free_gpus;
  return word_of_fault(fault->code);
}

std::optional<Word> NodeReasons::taint_word(const NodeVerdict& node) const {
  const Node& of = *cluster_.nodes()[node.node].node;
  std::optional<Word> word;
  for (const Taint* taint : untolerated(pod_.tolerations, of)) {
    const Unavailable life = lifecycle_of(*taint);
    if (life == Unavailable::cordoned && of.unschedulable) continue;
    if (life == Unavailable::node_not_ready) return Word::not_ready;
    word = life == Unavailable::cordoned ? Word::cordoned : Word::taint;
  }
  return word;
}

std::optional<Word> NodeReasons::word_of(const NodeVerdict& node, const Blocker& blocker) const {
  const Text& text = texts_[blocker.reason];
  switch (blocker.filter) {
    case Filter::node_unschedulable:
      return Word::cordoned;
    case Filter::node_name:
      return Word::other_node_name;
    case Filter::taint_toleration:
      return taint_word(node);
    case Filter::node_affinity:
      return Word::node_selector;
    case Filter::node_ports:
      return Word::port_taken;
    case Filter::node_resources_fit:
      return resource_word(node, text);
    case Filter::volume_restrictions:
      return Word::volume_in_use;
    case Filter::node_volume_limits:
      return Word::many_volumes;
    case Filter::volume_binding:
      return text.word == Word::volume_elsewhere ? Word::volume_elsewhere : Word::no_volume;
    case Filter::volume_zone:
      return Word::volume_elsewhere;
    case Filter::pod_topology_spread:
      return Word::spread;
    case Filter::inter_pod_affinity:
      return text.word == Word::pod_anti_affinity ? text.word : Word::pod_affinity;
    case Filter::dynamic_resources:
      return Word::no_devices;
    case Filter::node_declared_features:
      return Word::missing_feature;
  }
  return Word::other;
}

Words NodeReasons::words_of(const NodeVerdict& node) const {
  Words words;
  for (const Blocker& blocker : verdict_.blockers_of(node))
    if (const auto word = word_of(node, blocker)) words.add(*word);
  if (node.is_left_out && words.empty()) words.add(Word::node_selector);
  return words;
}

std::string NodeReasons::detail_of(const NodeVerdict& node, Word word) const {
  const Node& of = *cluster_.nodes()[node.node].node;
  if (word == Word::node_selector) return selector_detail(pod_, of);
  if (word == Word::cordoned)
    if (auto work = work_on(of)) return std::move(work->what);
  if (word == Word::taint || word == Word::not_ready) {
    std::string detail;
    for (const Taint* taint : untolerated(pod_.tolerations, of))
      if (lifecycle_of(*taint) != Unavailable::cordoned || !of.unschedulable)
        detail += (detail.empty() ? "" : ", ") + text_of(*taint);
    return detail;
  }
  for (const Amount& gpu : gpus_) {
    const auto& fault = this->fault(node.node, gpu.resource);
    if (!fault) continue;
    const bool is_of_stack = word == Word::no_device_plugin || word == Word::no_driver ||
                             word == Word::unhealthy_device_plugin || word == Word::renamed_gpus ||
                             word == Word::unhealthy_gpus;
    if (is_of_stack) return fault->detail;
  }
  std::string shortage = shortage_detail(cluster_, *this, node, word);
  return shortage.empty() ? facts().detail(word, node.node) : shortage;
}

std::string_view NodeReasons::resource_of(const NodeVerdict& node, Word word) const {
  for (const Blocker& blocker : verdict_.blockers_of(node))
    if (const Text& text = texts_[blocker.reason]; text.resource && word_of(node, blocker) == word)
      return cluster_.name_of(*text.resource);
  return {};
}

const PlacementFacts& NodeReasons::facts() const {
  if (!facts_) facts_ = std::make_shared<const PlacementFacts>(cluster_, pod_);
  return *facts_;
}

GroupBlocker NodeReasons::blocker_of(const NodeVerdict& node, Word word) const {
  GroupBlocker made{.code = code_of(word), .title = std::string(text_of(word))};
  for (const Blocker& blocker : verdict_.blockers_of(node)) {
    if (word_of(node, blocker) != word) continue;
    made.filter = blocker.filter;
    made.message = verdict_.reasons[blocker.reason];
    if (word == Word::no_gpus && has_gpus(*cluster_.nodes()[node.node].node) &&
        made.message.starts_with(kInsufficient))
      made.title = "no " + made.message.substr(kInsufficient.size());
    if (word == Word::few_resources)
      made.title = "too few " + made.message.substr(kInsufficient.size());
    break;
  }
  made.detail = detail_of(node, word);
  return made;
}

}  // namespace gpu::schedule
