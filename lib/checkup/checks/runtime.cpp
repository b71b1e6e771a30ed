#include <fmt/format.h>

#include <set>

#include "checkup/checks/check.hpp"
#include "checkup/checks/stack_part.hpp"
#include "diagnose/lifecycle/after_binding.hpp"
#include "diagnose/lifecycle/container_trouble.hpp"

namespace gpu::checkup {
namespace {

using diagnose::Code;
using diagnose::DaemonRole;
using diagnose::StackFault;

/// Why a pod lacks its GPUs though a node has them: the runtime, its hook, the toolkit, CDI. By the
/// states of its containers, else by what the kubelet says in events.
std::optional<StackFault> runtime_fault(const CheckContext& context, const Pod& pod) {
  const auto fault = [&](const std::string& summary, const std::vector<diagnose::Advice>& advice) {
    return StackFault{.code = Code::runtime_missing,
                      .detail = fmt::format("the pod {}/{} {} start: {}", pod.ns, pod.name,
                                            is_finished(pod) ? "could not" : "cannot", summary),
                      .advice = advice};
  };
  if (const auto trouble = diagnose::container_trouble(context.cluster, pod)) {
    if (trouble->code != Code::runtime_missing) return std::nullopt;
    return fault(trouble->summary, trouble->advice);
  }
  if (pod.phase != "Pending") return std::nullopt;
  const diagnose::Explanation why =
      diagnose::after_binding(context.cluster, pod, {.now = context.surroundings.now});
  if (why.code != Code::runtime_missing) return std::nullopt;
  return fault(why.summary, why.advice);
}

/// Of each node the first pod tells.
void add_troubles(const CheckContext& context, NodeResults& to) {
  std::set<std::string_view> told;
  for (const Pod& pod : context.snapshot.pods) {
    if (pod.node_name.empty() || told.contains(pod.node_name)) continue;
    const auto node = context.cluster.node_named(pod.node_name);
    if (!node) continue;
    if (const auto fault = runtime_fault(context, pod)) {
      to.add(*context.cluster.nodes()[*node].node, *fault);
      told.insert(pod.node_name);
    }
  }
}

}  // namespace

CheckResults check_runtime(const CheckContext& context) {
  NodeResults broken(CheckState::failed);
  add_troubles(context, broken);
  add_part_faults(context, DaemonRole::toolkit, broken);
  NodeResults unproven(CheckState::warning);
  add_part_faults(context, DaemonRole::validator, unproven);
  CheckResults results;
  broken.append_to(results);
  unproven.append_to(results);
  if (!results.empty()) return results;
  const bool has_toolkit = has_part(context, DaemonRole::toolkit);
  return {{.says = std::string(has_toolkit ? "the container toolkit runs, and no" : "no") +
                   " pod fails to start because of the container runtime"}};
}

}  // namespace gpu::checkup
