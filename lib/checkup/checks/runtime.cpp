#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "checkup/checks/check.hpp"
#include "checkup/checks/stack_part.hpp"
#include "diagnose/lifecycle/container_trouble.hpp"

namespace gpu::checkup {
namespace {

using diagnose::Code;
using diagnose::DaemonRole;
using diagnose::StackFault;

/// Pods of a node whose containers the runtime cannot give their GPUs.
void add_troubles(const CheckContext& context, NodeResults& to) {
  for (const GpuNode& node : context.nodes) {
    for (const scheduler::BoundPod& bound : node.state->pods) {
      const auto trouble = diagnose::container_trouble(context.cluster, *bound.pod);
      if (!trouble || trouble->code != Code::runtime_missing) continue;
      StackFault fault{.code = Code::runtime_missing,
                       .detail = fmt::format("the pod {}/{} cannot start: {}", bound.pod->ns,
                                             bound.pod->name, trouble->summary),
                       .advice = trouble->advice};
      to.add(node.node(), fault);
      break;  // one pod tells of the node
    }
  }
}

/// Pods that have failed for it stand on no node any more.
void add_failed(const CheckContext& context, NodeResults& to) {
  for (const Pod& pod : context.snapshot.pods) {
    if (!is_finished(pod) || pod.node_name.empty()) continue;
    const auto trouble = diagnose::container_trouble(context.cluster, pod);
    if (!trouble || trouble->code != Code::runtime_missing) continue;
    const auto node = context.cluster.node_named(pod.node_name);
    if (!node) continue;
    to.add(*context.cluster.nodes()[*node].node,
           StackFault{.code = Code::runtime_missing,
                      .detail = fmt::format("the pod {}/{} could not start: {}", pod.ns, pod.name,
                                            trouble->summary),
                      .advice = trouble->advice});
  }
}

}  // namespace

CheckResults check_runtime(const CheckContext& context) {
  NodeResults broken(CheckState::failed);
  add_troubles(context, broken);
  if (broken.empty()) add_failed(context, broken);
  add_part_faults(context, DaemonRole::toolkit, broken);
  NodeResults unproven(CheckState::warning);
  add_part_faults(context, DaemonRole::validator, unproven);
  CheckResults results;
  broken.append_to(results);
  unproven.append_to(results);
  if (!results.empty()) return results;
  const bool has_toolkit = has_part(context, DaemonRole::toolkit);
  return {{.says = std::string(has_toolkit ? "the container toolkit runs, and no" : "no") +
                   " pod fails for want of the GPU runtime"}};
}

}  // namespace gpu::checkup
