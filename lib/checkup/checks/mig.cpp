#include "checkup/checks/check.hpp"
#include "checkup/checks/stack_part.hpp"

namespace gpu::checkup {
namespace {

using diagnose::StackFault;

constexpr std::string_view kState = "nvidia.com/mig.config.state";

/// GPU feature discovery's word for slices that the strategy "single" does not allow.
bool has_invalid_slices(const Node& node) {
  return value_of(node.labels, "nvidia.com/gpu.product").ends_with("-MIG-INVALID");
}

void add_layouts(const CheckContext& context, NodeResults& broken) {
  for (const GpuNode& node : context.nodes) {
    if (value_of(node.node().labels, kState) == "failed")
      broken.add(node.node(),
                 "its MIG layout " +
                     std::string(value_of(node.node().labels, "nvidia.com/mig.config")) +
                     " could not be made (nvidia.com/mig.config.state=failed)",
                 StackFault::Reads::by_itself,
                 "read the log of the MIG manager's pod there, then set the label "
                 "nvidia.com/mig.config to a layout that its cards can have",
                 "kubectl logs -n gpu-operator -l app=nvidia-mig-manager --prefix");
    if (has_invalid_slices(node.node()))
      broken.add(node.node(),
                 "its cards are cut in ways that the MIG strategy `single` does not allow, so that "
                 "none is advertised",
                 StackFault::Reads::by_itself,
                 "cut all its cards into slices of one profile, or set the strategy to `mixed`",
                 {});
  }
}

bool has_mig(const CheckContext& context) {
  for (const GpuNode& node : context.nodes)
    for (const Pool* pool : node.pools)
      if (pool->kind.kind == DeviceKind::mig_slice ||
          (node.labels && !node.labels->single_mig_profile.empty()))
        return true;
  return false;
}

}  // namespace

CheckResults check_mig(const CheckContext& context) {
  NodeResults broken(CheckState::failed);
  add_layouts(context, broken);
  NodeResults managers(CheckState::warning);
  add_part_faults(context, diagnose::DaemonRole::mig_manager, managers);
  NodeResults changing(CheckState::warning);
  for (const GpuNode& node : context.nodes)
    if (node.work && node.work->work == diagnose::NodeMaintenance::Work::mig_layout)
      (node.work->is_stuck ? broken : changing).add(node.node(), *node.work);
  CheckResults results;
  broken.append_to(results);
  changing.append_to(results);
  managers.append_to(results);
  if (!results.empty()) return results;
  if (!has_mig(context)) return {{.state = CheckState::skipped, .says = "no node has MIG slices"}};
  return {{.says = "no MIG layout is stuck"}};
}

}  // namespace gpu::checkup
