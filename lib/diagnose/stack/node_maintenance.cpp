#include "diagnose/stack/node_maintenance.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "base/time.hpp"
#include "diagnose/answer/patience.hpp"
#include "diagnose/stack/stack_pods.hpp"
#include "model/gpu/gpu_resource.hpp"
#include "model/pools/toleration.hpp"

namespace gpu::diagnose {
namespace {

constexpr const char* kUpgrade = "nvidia.com/gpu-driver-upgrade-state";
constexpr const char* kConfig = "nvidia.com/mig.config";
constexpr const char* kLayout = "nvidia.com/mig.config.state";
constexpr const char* kPlugin = "nvidia.com/gpu.deploy.device-plugin";
constexpr std::string_view kPausedForMig = "paused-for-mig-change";

std::string show(const Node& node, std::string_view label) {
  return "kubectl get node " + shell_quoted(node.name) + " -L " + std::string(label);
}

/// The operator cordons nodes once their turn has come: "upgrade-required" only waits for it.
std::optional<NodeMaintenance> upgrade_of(const Node& node) {
  std::string_view state = value_of(node.labels, kUpgrade);
  const std::string_view plugin = value_of(node.labels, kPlugin);
  const bool is_paused = plugin == "paused-for-driver-upgrade";
  if (state.empty() || state == "upgrade-done" || state == "upgrade-required") {
    if (!is_paused) return std::nullopt;
    state = plugin;
  }
  if (state == "upgrade-failed")
    return NodeMaintenance{
        .work = NodeMaintenance::Work::driver_upgrade,
        .what = "a driver upgrade has failed (upgrade-failed)",
        .nearest = "once its driver is repaired",
        .advice = {.summary = "see why in the log of the driver's pod on " + node.name +
                              ": the operator leaves the node cordoned until the "
                              "driver works",
                   .command = "kubectl get pods -A -o wide --field-selector "
                              "spec.nodeName=" +
                              shell_quoted(node.name)},
        .is_stuck = true};
  return NodeMaintenance{
      .work = NodeMaintenance::Work::driver_upgrade,
      .what = "a driver upgrade is under way (" + std::string(state) + ")",
      .nearest = "once its driver is upgraded",
      .advice = {.summary = "wait for the upgrade: NVIDIA's operator uncordons the node after it; "
                            "if the state stays, see which pods there do not end, and what the "
                            "driver's pod logs",
                 .command = show(node, kUpgrade)}};
}

/// "pending"; of a change that has ended, and whose pods are still paused, the label that says so.
std::string_view layout_state(const Node& node) {
  const std::string_view state = value_of(node.labels, kLayout);
  if (state == "pending" || state == "rebooting") return state;
  const bool is_paused = value_of(node.labels, kPlugin) == kPausedForMig;
  return is_paused ? kPausedForMig : std::string_view();
}

std::optional<NodeMaintenance> layout_of(const Node& node) {
  const std::string_view state = layout_state(node);
  if (state.empty()) return std::nullopt;
  return NodeMaintenance{
      .work = NodeMaintenance::Work::mig_layout,
      .what = "its MIG layout is being changed (" + std::string(state) + ")",
      .nearest = "once its MIG layout is changed",
      .advice = {.summary = "wait for the new layout; if the state stays, read the log of the MIG "
                            "manager's pod on " +
                            node.name,
                 .command = show(node, kLayout)}};
}

/// How long pods have waited for GPUs of NVIDIA: Cluster::shared().
class LongestWait {
 public:
  explicit LongestWait(const scheduler::Cluster& cluster) {
    const std::optional<Time>& now = cluster.snapshot().taken_at;
    if (!now) return;
    for (const Pod& pod : cluster.snapshot().pods)
      if (pod.node_name.empty() && !is_finished(pod) && pod.created && asks_for_nvidia(pod))
        longest = std::max(longest, *now - *pod.created);
  }
  std::chrono::seconds longest{0};

 private:
  static bool asks_for_nvidia(const Pod& pod) {
    return std::any_of(pod.containers.begin(), pod.containers.end(), [](const Container& each) {
      return std::any_of(each.requests.begin(), each.requests.end(), [](const auto& request) {
        const auto gpu = gpu_resource(request.first);
        return gpu && gpu->vendor == Vendor::nvidia;
      });
    });
  }
};

/// For how long the work has gone on, as far as that can be told, and what tells it.
struct WorkAge {
  std::chrono::seconds age{0};
  std::string text;
};

WorkAge age_of_work(const scheduler::Cluster& cluster, const Node& node) {
  const std::optional<Time>& now = cluster.snapshot().taken_at;
  for (const Taint& taint : node.taints)
    if (taint.key == "node.kubernetes.io/unschedulable" && taint.added && now)
      return {*now - *taint.added,
              "the node was cordoned " + human_duration(*now - *taint.added) + " ago"};
  const auto longest = cluster.shared<LongestWait>().longest;
  return {longest, "a pod has waited for GPUs for " + human_duration(longest)};
}

/// "nvidia.com/gpu.deploy.device-plugin and 5 more labels are paused-for-mig-change".
std::string paused_text(const Node& node) {
  std::size_t paused = 0;
  for (const auto& [key, value] : node.labels)
    paused += key.starts_with("nvidia.com/gpu.deploy.") && value == kPausedForMig ? 1 : 0;
  if (paused == 0) return {};
  return "; until then " + std::to_string(paused) + (paused == 1 ? " label" : " labels") +
         " nvidia.com/gpu.deploy.* of the node " + (paused == 1 ? "is " : "are ") +
         std::string(kPausedForMig) + ", and keep its device plugin away";
}

/// A MIG manager that gave up waits for a change of the label, or for its own restart. Source:
/// NVIDIA/mig-parted#484.
void call_stuck_layout(const scheduler::NodeState& state, NodeMaintenance& work) {
  const Node& node = *state.node;
  const Pod* const manager = pod_on(state, DaemonRole::mig_manager, Vendor::nvidia);
  if (manager != nullptr)
    work.advice = {.summary = "restart the MIG manager's pod " + manager->ns + "/" + manager->name +
                              ": a new one takes the change up again" + paused_text(node),
                   .command = "kubectl delete pod -n " + shell_quoted(manager->ns) + " " +
                              shell_quoted(manager->name)};
  else
    work.advice = {.summary = "see why no pod of the MIG manager is on " + node.name +
                              ": without one no one ends the change" + paused_text(node),
                   .command = pods_on(node)};
  const std::string layout(value_of(node.labels, kConfig));
  if (layout.empty()) return;
  const std::string other = layout == "all-disabled" ? "all-balanced" : "all-disabled";
  const std::string set = "kubectl label node " + shell_quoted(node.name) + " --overwrite " +
                          std::string(kConfig) + "=";
  work.more.push_back({.summary = "or set the label " + std::string(kConfig) +
                                  " to another value and back to " + layout +
                                  ": the MIG manager starts again at each change",
                       .command = set + other + "\n" + set + shell_quoted(layout)});
}

void call_stuck_upgrade(const Node& node, NodeMaintenance& work) {
  work.advice.summary =
      "see which pods there do not end, and what the driver's pod logs: the "
      "upgrade waits for them";
  work.advice.command = pods_on(node);
  work.more.push_back({.summary = "then let NVIDIA's operator start the upgrade again",
                       .command = "kubectl label node " + shell_quoted(node.name) +
                                  " --overwrite " + std::string(kUpgrade) + "=upgrade-required"});
}

}  // namespace

std::optional<NodeMaintenance> maintenance_of(const Node& node) {
  if (node.deleted)
    return NodeMaintenance{.what = "it is being deleted",
                           .nearest = "which is being deleted",
                           .advice = {.summary = "add a node like " + node.name +
                                                 ", which is being deleted and takes no new pods",
                                      .command = {},
                                      .kind = AdviceKind::add_node}};
  if (auto upgrade = upgrade_of(node)) return upgrade;
  return layout_of(node);
}

std::optional<NodeMaintenance> maintenance_of(const scheduler::Cluster& cluster,
                                              const scheduler::NodeState& state) {
  const Node& node = *state.node;
  auto work = maintenance_of(node);
  if (!work || node.deleted || value_of(node.labels, kUpgrade) == "upgrade-failed") return work;
  const bool is_upgrade = upgrade_of(node).has_value();
  const WorkAge age = age_of_work(cluster, node);
  if (age.age <= patience_for(is_upgrade ? WaitFor::driver_upgrade : WaitFor::mig_layout))
    return work;
  work->what += ", and this seems stuck: " + age.text;
  work->is_stuck = true;
  if (is_upgrade)
    call_stuck_upgrade(node, *work);
  else
    call_stuck_layout(state, *work);
  return work;
}

bool may_be_uncordoned(const Node& node) {
  return node.unschedulable && is_ready(node) && !maintenance_of(node) &&
         std::none_of(node.taints.begin(), node.taints.end(), is_health_taint);
}

}  // namespace gpu::diagnose
