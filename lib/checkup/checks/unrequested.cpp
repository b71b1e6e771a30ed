#include <fmt/format.h>

#include "base/text.hpp"
#include "checkup/checks/check.hpp"
#include "checkup/checks/stack_part.hpp"
#include "model/holdings/holding.hpp"
#include "model/snapshot/requests.hpp"
#include "usage/rows/gaps.hpp"

namespace gpu::checkup {
namespace {

using diagnose::StackFault;

/// A workload's pod that gets all GPUs of its node and requests none; the GPU stack's own are meant
/// to.
bool takes_all(const Pod& pod) {
  return sees_all_gpus(pod) && !is_of_stack(pod) && pod.claim_references == 0 &&
         gpu_devices_in(effective_requests(pod)) == 0;
}

void add_pods(const CheckContext& context, NodeResults& to) {
  for (const GpuNode& node : context.nodes) {
    const Pod* first = nullptr;
    std::size_t others = 0;
    for (const scheduler::BoundPod& bound : node.state->pods) {
      if (!takes_all(*bound.pod)) continue;
      if (first == nullptr)
        first = bound.pod;
      else
        ++others;
    }
    if (first == nullptr) continue;
    to.add(node.node(),
           fmt::format("{}/{}{} gets all GPUs of the node by NVIDIA_VISIBLE_DEVICES=all, and "
                       "requests none",
                       first->ns, first->name,
                       others == 0 ? "" : fmt::format(" (and {} more)", others)),
           StackFault::Reads::by_itself,
           "request the GPUs that it needs, in resources.limits; the device plugin can "
           "refuse the variable: accept-nvidia-visible-devices-envvar-when-unprivileged=false",
           fmt::format("kubectl get pod -n {} {} -o yaml", shell_quoted(first->ns),
                       shell_quoted(first->name)));
  }
}

}  // namespace

CheckResults check_unrequested(const CheckContext& context) {
  NodeResults pods(CheckState::warning);
  add_pods(context, pods);
  CheckResults results;
  for (const Gap& gap : usage::gaps_of(context.inventory))
    if (gap.missing == Missing::requests)
      results.push_back({.state = CheckState::warning,
                         .says = gap.what + " (" + gap.why + ")",
                         .help = "request them in the pods that use them, or delete these pods",
                         .command = gap.help_form == HelpForm::command ? gap.help : std::string(),
                         .nodes = gap.nodes});
  pods.append_to(results);
  if (!results.empty()) return results;
  if (context.snapshot.samples.empty())
    return {{.state = CheckState::skipped,
             .says = "without metrics it is not known whether a GPU is in use"}};
  return {{.says = "every GPU in use was requested"}};
}

}  // namespace gpu::checkup
