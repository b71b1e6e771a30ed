#include "diagnose/stack/stack_pods.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"
#include "diagnose/stack/daemon_labels.hpp"
#include "model/objects/selector_text.hpp"

namespace gpu::diagnose {
namespace {

/// The operator puts its own DaemonSets back as they were. These names are the operator's; others'
/// may be the same.
std::string operator_text(const DaemonSet& daemon) {
  static constexpr std::array<std::string_view, 2> kNames = {"nvidia-device-plugin-daemonset",
                                                             "nvidia-driver-daemonset"};
  if (std::find(kNames.begin(), kNames.end(), daemon.name) == kNames.end()) return {};
  return "; if NVIDIA's operator made it, in spec.daemonsets.tolerations of its ClusterPolicy, or "
         "the operator takes it back";
}

/// Why the labels that a DaemonSet selects are missing: node feature discovery is kept away, too.
std::optional<StackFault> discovery_fault(const scheduler::Cluster& cluster, const Node& node,
                                          const DaemonSet& daemon, const Unreached& unreached) {
  if (std::none_of(unreached.labels.begin(), unreached.labels.end(), is_discovered))
    return std::nullopt;
  const auto& daemons = cluster.shared<StackDaemons>();
  for (const DaemonSet* discovery : daemons.of(DaemonRole::feature_discovery)) {
    const Unreached reach = reach_of(*discovery, node);
    if (reach.taints.empty()) continue;
    StackFault fault{.code = Code::device_plugin_missing,
                     .detail = "node feature discovery does not tolerate " +
                               text_of(*reach.taints.front()) +
                               ", so no label draws the device plugin",
                     .advice = {tolerate(*discovery, *reach.taints.front(),
                                         ": without it the node gets no GPU labels, and " +
                                             name_of(daemon) + " does not select it")}};
    for (std::size_t i = 1; i < reach.taints.size(); ++i)
      fault.advice.push_back(tolerate(*discovery, *reach.taints[i], ""));
    for (const Taint* taint : unreached.taints)
      fault.advice.push_back(tolerate(daemon, *taint, ""));
    if (!unreached.taints.empty())
      fault.detail += ", and the DaemonSet " + name_of(daemon) + " does not tolerate " +
                      text_of(*unreached.taints.front()) + " either";
    return fault;
  }
  return std::nullopt;
}

/// One whose DaemonSet reaches the node, and that has no pod there.
StackFault expected_pod(const DaemonSet& daemon) {
  return {.code = Code::device_plugin_missing,
          .detail = "the DaemonSet " + name_of(daemon) + " should have a pod there, and has none",
          .advice = {{.summary = "see what keeps the DaemonSet's pod away",
                      .command = "kubectl describe daemonset -n " + shell_quoted(daemon.ns) + " " +
                                 shell_quoted(daemon.name)}}};
}

}  // namespace

std::string name_of(const DaemonSet& daemon) { return daemon.ns + "/" + daemon.name; }

std::string pods_on(const Node& node) {
  return "kubectl get pods -A -o wide --field-selector spec.nodeName=" + shell_quoted(node.name);
}

bool is_ready_pod(const Pod& pod) { return is_true(pod.conditions, "Ready"); }

const Pod* pod_on(const scheduler::NodeState& node, DaemonRole role, Vendor vendor) {
  const Pod* found = nullptr;
  for (const scheduler::BoundPod& bound : node.pods) {
    if (!is_of_role(role, *bound.pod, vendor)) continue;
    if (found == nullptr || !is_ready_pod(*bound.pod)) found = bound.pod;
  }
  return found;
}

std::string unready_text(const Pod& pod) {
  std::string state;
  for (const auto* list : {&pod.init_container_statuses, &pod.container_statuses})
    for (const ContainerResourceStatus& each : *list) {
      if (!state.empty() || each.waiting.empty() || each.waiting == "PodInitializing") continue;
      state = " (" + each.waiting;
      if (each.restarts > 0)
        state +=
            ", " + std::to_string(each.restarts) + (each.restarts == 1 ? " restart" : " restarts");
      state += ")";
    }
  return pod.ns + "/" + pod.name + " is not ready" + state;
}

Advice read_log_of(const Pod& pod) {
  const auto& statuses = pod.container_statuses;
  const bool has_crashed = std::any_of(statuses.begin(), statuses.end(), [](const auto& each) {
    return each.restarts > 0 && !each.waiting.empty();
  });
  return {.summary = "read that pod's log",
          .command = "kubectl logs -n " + shell_quoted(pod.ns) + " " + shell_quoted(pod.name) +
                     (has_crashed ? " --previous" : "")};
}

Advice tolerate(const DaemonSet& daemon, const Taint& taint, std::string_view why) {
  return {.summary = "change the DaemonSet " + name_of(daemon) + " to tolerate " + text_of(taint) +
                     " (operator Exists, effect " + taint.effect + ")" + std::string(why) +
                     operator_text(daemon)};
}

std::optional<StackFault> absence_of(const scheduler::Cluster& cluster,
                                     const scheduler::NodeState& node,
                                     const std::vector<const DaemonSet*>& daemons) {
  std::optional<StackFault> fault;
  for (const DaemonSet* daemon : daemons) {
    const Unreached reach = reach_of(*daemon, *node.node);
    if (reach.why.empty())
      return cluster.snapshot().pod_coverage == Coverage::whole
                 ? std::optional(expected_pod(*daemon))
                 : std::nullopt;
    if (auto deeper = discovery_fault(cluster, *node.node, *daemon, reach)) return deeper;
    if (fault) continue;
    fault = StackFault{.code = Code::device_plugin_missing,
                       .detail = "the DaemonSet " + name_of(*daemon) + " " + reach.why};
    for (const Taint* taint : reach.taints) fault->advice.push_back(tolerate(*daemon, *taint, ""));
    if (!reach.labels.empty() || !reach.unwanted.empty())
      for (Advice& advice : label_advice(cluster, *daemon, *node.node, reach))
        fault->advice.push_back(std::move(advice));
  }
  return fault;
}

}  // namespace gpu::diagnose
