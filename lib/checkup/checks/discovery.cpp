#include "checkup/checks/check.hpp"
#include "checkup/checks/stack_part.hpp"

namespace gpu::checkup {

using diagnose::DaemonRole;

CheckResults check_discovery(const CheckContext& context) {
  NodeResults faults(CheckState::failed);
  add_part_faults(context, DaemonRole::feature_discovery, faults);
  NodeResults labeler(CheckState::warning);
  add_part_faults(context, DaemonRole::gpu_labeler, labeler);
  CheckResults results;
  faults.append_to(results);
  labeler.append_to(results);
  if (!results.empty()) return results;
  const bool has_nfd = has_part(context, DaemonRole::feature_discovery);
  const bool has_gfd = has_part(context, DaemonRole::gpu_labeler);
  if (!has_nfd && !has_gfd)
    return {{.state = CheckState::skipped,
             .says = "no DaemonSet of node feature discovery or GPU feature discovery is known "
                     "here",
             .is_out_of_sight =
                 coverage_of(context.snapshot.scheduling, "daemonsets") == Coverage::none}};
  const std::string who = has_nfd && has_gfd ? "node and GPU feature discovery run"
                          : has_nfd          ? "node feature discovery runs"
                                             : "GPU feature discovery runs";
  return {{.says = who + " on the nodes with GPUs that it is meant for"}};
}

}  // namespace gpu::checkup
