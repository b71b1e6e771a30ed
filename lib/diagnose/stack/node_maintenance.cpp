#include "diagnose/stack/node_maintenance.hpp"

#include "base/text.hpp"

namespace gpu::diagnose {
namespace {

constexpr const char* kUpgrade = "nvidia.com/gpu-driver-upgrade-state";
constexpr const char* kLayout = "nvidia.com/mig.config.state";

std::string show(const Node& node, std::string_view label) {
  return "kubectl get node " + shell_quoted(node.name) + " -L " + std::string(label);
}

/// The operator cordons nodes once their turn has come: "upgrade-required" only waits for it.
std::optional<NodeMaintenance> upgrade_of(const Node& node) {
  std::string_view state = value_of(node.labels, kUpgrade);
  const std::string_view plugin = value_of(node.labels, "nvidia.com/gpu.deploy.device-plugin");
  const bool is_paused = plugin == "paused-for-driver-upgrade";
  if (state.empty() || state == "upgrade-done" || state == "upgrade-required") {
    if (!is_paused) return std::nullopt;
    state = plugin;
  }
  if (state == "upgrade-failed")
    return NodeMaintenance{
        .what = "a driver upgrade has failed (upgrade-failed)",
        .nearest = "once its driver is mended",
        .advice = {.summary = "see why in the log of the driver's pod on " + node.name +
                              ": the operator leaves the node cordoned until the "
                              "driver works",
                   .command = "kubectl get pods -A -o wide --field-selector "
                              "spec.nodeName=" +
                              shell_quoted(node.name)}};
  return NodeMaintenance{
      .what = "a driver upgrade is under way (" + std::string(state) + ")",
      .nearest = "once its driver is upgraded",
      .advice = {.summary = "wait for the upgrade: NVIDIA's operator uncordons the node after it; "
                            "if the state stays, see which pods there do not end, and what the "
                            "driver's pod logs",
                 .command = show(node, kUpgrade)}};
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
  const std::string_view layout = value_of(node.labels, kLayout);
  if (layout != "pending" && layout != "rebooting") return std::nullopt;
  return NodeMaintenance{
      .what = "its MIG layout is being changed (" + std::string(layout) + ")",
      .nearest = "once its MIG layout is changed",
      .advice = {.summary = "wait for the new layout; if the state stays, read the log of the MIG "
                            "manager's pod on " +
                            node.name,
                 .command = show(node, kLayout)}};
}

}  // namespace gpu::diagnose
