#include "diagnose/nodes/node_reason.hpp"

#include <algorithm>

#include "diagnose/nodes/shares.hpp"
#include "model/gpu/gpu_resource.hpp"
#include "model/pools/toleration.hpp"
#include "model/snapshot/requests.hpp"
#include "scheduler/cluster/amounts.hpp"

namespace gpu::diagnose {
namespace {

constexpr std::string_view kInsufficient = "Insufficient ";

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
    Text text{.kind = kind_of_failure(scheduler::Filter::node_resources_fit, reason)};
    if (reason.starts_with(kInsufficient)) {
      const std::string_view name = std::string_view(reason).substr(kInsufficient.size());
      text.kind = kind_of_shortage(name);
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
  if (!text.is_gpu || !text.resource) return text.is_gpu ? BlockerKind::no_gpus : text.kind;
  const scheduler::NodeState& state = cluster_.nodes()[node.node];
  const auto asked = std::find_if(gpus_.begin(), gpus_.end(), [&](const scheduler::Amount& amount) {
    return amount.resource == *text.resource;
  });
  const std::int64_t wanted = asked == gpus_.end() ? 0 : asked->value;
  const std::int64_t allocatable = state.allocatable[*text.resource];
  const auto& fault = this->fault(node.node, *text.resource);
  const bool would_do = fault && fault->code == Code::gpu_unhealthy &&
                        fault->units - state.requested[*text.resource] >= wanted;
  if (would_do) return BlockerKind::unhealthy_gpus;
  if (allocatable > 0)
    return wanted > allocatable ? BlockerKind::few_gpus : BlockerKind::few_free_gpus;
  if (!fault) return BlockerKind::no_gpus;
  // Where other nodes have the name that is asked for, that name is meant.
  if (fault->code == Code::resource_renamed && is_offered(*text.resource))
    return BlockerKind::few_free_gpus;
  return kind_of_fault(fault->code);
}

std::optional<BlockerKind> NodeReasons::taint_kind(const scheduler::NodeVerdict& node) const {
  const Node& of = *cluster_.nodes()[node.node].node;
  std::optional<BlockerKind> kind;
  for (const Taint* taint : untolerated(pod_.tolerations, of)) {
    const Unavailable life = lifecycle_of(*taint);
    if (life == Unavailable::cordoned && of.unschedulable) continue;
    if (life == Unavailable::node_not_ready) return BlockerKind::not_ready;
    kind = life == Unavailable::cordoned ? BlockerKind::cordoned : BlockerKind::taint;
  }
  return kind;
}

std::optional<BlockerKind> NodeReasons::kind_of(const scheduler::NodeVerdict& node,
                                                const scheduler::FilterFailure& blocker) const {
  if (blocker.filter == scheduler::Filter::taint_toleration) return taint_kind(node);
  if (blocker.filter == scheduler::Filter::node_resources_fit)
    return resource_kind(node, texts_[blocker.reason]);
  // A node without GPUs would not do whatever those who share them leave.
  if (blocker.filter == scheduler::Filter::shared_gpus &&
      !has_gpus(*cluster_.nodes()[node.node].node))
    return BlockerKind::no_gpus;
  return kind_of_failure(blocker.filter, verdict_.reasons[blocker.reason]);
}

BlockerKinds NodeReasons::kinds_of(const scheduler::NodeVerdict& node) const {
  BlockerKinds kinds;
  for (const scheduler::FilterFailure& blocker : verdict_.blockers_of(node))
    if (const auto kind = kind_of(node, blocker)) kinds.add(*kind);
  if (node.is_left_out && kinds.empty()) kinds.add(BlockerKind::node_selector);
  return kinds;
}

std::string_view NodeReasons::resource_of(const scheduler::NodeVerdict& node,
                                          BlockerKind kind) const {
  for (const scheduler::FilterFailure& blocker : verdict_.blockers_of(node))
    if (const Text& text = texts_[blocker.reason]; text.resource && kind_of(node, blocker) == kind)
      return cluster_.name_of(*text.resource);
  return {};
}

std::string NodeReasons::title_of_shortage(std::size_t node, scheduler::ResourceId resource,
                                           std::string title) const {
  const auto& fault = this->fault(node, resource);
  const auto asked = gpu_resource(cluster_.name_of(resource));
  if (fault && fault->code == Code::mig_mismatch && asked->kind == DeviceKind::mig_slice)
    return "no " + std::string(cluster_.name_of(resource));
  return cluster_.shared<Shares>().are_all(resource) ? "too few free shares" : std::move(title);
}

GroupBlocker NodeReasons::blocker_of(const scheduler::NodeVerdict& node, BlockerKind kind) const {
  GroupBlocker made{.code = code_of(kind), .title = std::string(text_of(kind))};
  for (const scheduler::FilterFailure& blocker : verdict_.blockers_of(node)) {
    if (kind_of(node, blocker) != kind) continue;
    made.filter = blocker.filter;
    made.message = verdict_.reasons[blocker.reason];
    if (kind == BlockerKind::no_gpus && has_gpus(*cluster_.nodes()[node.node].node) &&
        made.message.starts_with(kInsufficient))
      made.title = "no " + made.message.substr(kInsufficient.size());
    const Text& text = texts_[blocker.reason];
    if (kind == BlockerKind::few_free_gpus && text.resource)
      made.title = title_of_shortage(node.node, *text.resource, std::move(made.title));
    if (kind == BlockerKind::few_resources)
      made.title = "too few " + made.message.substr(kInsufficient.size());
    break;
  }
  return made;
}

const StackFault* first_fault(std::size_t node, const NodeReasons& reasons) {
  for (const scheduler::Amount& gpu : reasons.gpus())
    if (const auto& fault = reasons.fault(node, gpu.resource)) return &*fault;
  return nullptr;
}

std::int64_t free_gpus_on(std::size_t node, const NodeReasons& reasons) {
  std::int64_t free = 0;
  for (const scheduler::Amount& gpu : reasons.gpus())
    free = capped_sum(free, reasons.free_of(node, gpu.resource));
  return free;
}

double share_free_on(std::size_t node, const NodeReasons& reasons) {
  double share = 1;
  for (const scheduler::Amount& asked : reasons.requests())
    if (asked.value > 0)
      share = std::min(share, static_cast<double>(reasons.free_of(node, asked.resource)) /
                                  static_cast<double>(asked.value));
  return share;
}

std::optional<std::int64_t> free_of_advertised(const scheduler::Cluster& cluster, std::size_t node,
                                               const NodeReasons& reasons) {
  const scheduler::NodeState& state = cluster.nodes()[node];
  const bool has_any = std::any_of(
      reasons.gpus().begin(), reasons.gpus().end(),
      [&](const scheduler::Amount& gpu) { return state.allocatable[gpu.resource] > 0; });
  return has_any ? std::optional(free_gpus_on(node, reasons)) : std::nullopt;
}

std::string note_of(const scheduler::Cluster& cluster, std::size_t node,
                    const NodeReasons& reasons) {
  if (free_of_advertised(cluster, node, reasons)) return {};
  for (const scheduler::Amount& gpu : reasons.gpus()) {
    const auto& fault = reasons.fault(node, gpu.resource);
    if (fault && fault->code == Code::resource_renamed && reasons.is_offered(gpu.resource))
      return fault->other_name.empty() ? "GPUs of other names" : "only " + fault->other_name;
    if (!fault || fault->code != Code::mig_mismatch) continue;
    if (fault->reads == StackFault::Reads::by_itself) return {};  // it has no slices at all
    return fault->offers;
  }
  return {};
}

}  // namespace gpu::diagnose
