#include "checkup/checks/stack_part.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/phrase.hpp"
#include "diagnose/stack/stack_pods.hpp"

namespace gpu::checkup {
namespace {

using diagnose::DaemonRole;
using diagnose::StackDaemons;
using diagnose::StackFault;

/// Of more different texts only this many are said.
constexpr std::size_t kMostGroups = 4;
/// A pod that was just created starts.
constexpr std::chrono::minutes kYoung{2};

std::string sentence_of(const std::vector<std::string>& nodes, const std::string& detail,
                        StackFault::Reads reads) {
  const std::string names = names_text(nodes);
  if (reads == StackFault::Reads::by_itself) return names + ": " + detail;
  return (nodes.size() == 1 ? names : "each of " + names) + " " + detail;
}

}  // namespace

bool is_of_stack(const Pod& pod) { return !diagnose::roles_of(pod).empty(); }

bool is_young(const Pod& pod, const std::optional<Time>& now) {
  const auto& statuses = pod.container_statuses;
  const bool is_starting = std::all_of(statuses.begin(), statuses.end(), [](const auto& each) {
    return each.restarts == 0 && (each.waiting.empty() || each.waiting == "ContainerCreating" ||
                                  each.waiting == "PodInitializing");
  });
  return is_starting && now && pod.created && *now - *pod.created < kYoung;
}

bool sees_all_gpus(const Pod& pod) {
  return std::any_of(pod.containers.begin(), pod.containers.end(),
                     [](const Container& each) { return each.sees_all_gpus; });
}

std::string names_text(const std::vector<std::string>& nodes) { return few_and_rest(nodes, 3); }

void NodeResults::add(const Node& node, const StackFault& fault) {
  std::string help;
  std::string command;
  for (const diagnose::Advice& advice : fault.advice) {
    if (!advice.summary.empty()) help += (help.empty() ? "" : "; or ") + advice.summary;
    if (command.empty()) command = advice.command;
  }
  add(node, fault.detail, fault.reads, std::move(help), std::move(command));
}

void NodeResults::add(const Node& node, const diagnose::NodeMaintenance& work) {
  StackFault fault{.code = {}, .detail = work.what, .advice = {work.advice}};
  fault.advice.insert(fault.advice.end(), work.more.begin(), work.more.end());
  add(node, fault);
}

void NodeResults::add(const Node& node, std::string detail, StackFault::Reads reads,
                      std::string help, std::string command) {
  const auto [place, is_new] = places_.emplace(detail, groups_.size());
  if (!is_new) return groups_[place->second].nodes.push_back(node.name);
  groups_.push_back({.detail = std::move(detail),
                     .reads = reads,
                     .help = std::move(help),
                     .command = std::move(command),
                     .nodes = {node.name}});
}

void NodeResults::append_to(CheckResults& results) const {
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const Group& group = groups_[i];
    if (i < kMostGroups) {
      results.push_back({.state = state_,
                         .says = sentence_of(group.nodes, group.detail, group.reads),
                         .help = group.help,
                         .command = group.command,
                         .nodes = group.nodes});
      continue;
    }
    CheckResult rest{.state = state_, .says = {}, .nodes = {}};
    for (; i < groups_.size(); ++i)
      rest.nodes.insert(rest.nodes.end(), groups_[i].nodes.begin(), groups_[i].nodes.end());
    rest.says = "the same kind of fault is on " + names_text(rest.nodes);
    rest.help = "look at one of them by itself";
    rest.command = "kubectl gpu doctor --node " + rest.nodes.front();
    results.push_back(std::move(rest));
  }
}

bool has_part(const CheckContext& context, DaemonRole role) {
  return !context.cluster.shared<StackDaemons>().of(role).empty();
}

void add_part_faults(const CheckContext& context, DaemonRole role, NodeResults& to) {
  const auto& daemons = context.cluster.shared<StackDaemons>();
  for (const GpuNode& node : context.nodes) {
    if (!is_ready(node.node())) continue;
    const auto those = daemons.of(role, node.vendor);
    if (const Pod* const pod = diagnose::pod_on(*node.state, role, node.vendor)) {
      if (!diagnose::is_ready_pod(*pod) && !is_young(*pod, context.surroundings.now))
        to.add(node.node(), StackFault{.code = {},
                                       .detail = "the pod " + diagnose::unready_text(*pod),
                                       .advice = {diagnose::read_log_of(*pod)}});
      continue;
    }
    for (const DaemonSet* daemon : those) {
      const diagnose::Unreached reach = diagnose::reach_of(*daemon, node.node());
      if (!reach.labels.empty() || !reach.unwanted.empty()) continue;
      if (auto fault = diagnose::absence_of(context.cluster, *node.state, {daemon}))
        to.add(node.node(), *fault);
    }
  }
}

}  // namespace gpu::checkup
