#include "diagnose/lifecycle/device_trouble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "diagnose/stack/dra_driver.hpp"
#include "diagnose/stack/stack_pods.hpp"

namespace gpu::diagnose {
namespace {

/// Kubelets that lose the connection to a DRA driver and never take it up again. Source:
/// kubernetes/kubernetes#133920, mended in 1.34.2.
bool loses_drivers(std::string_view kubelet_version) {
  static constexpr std::array<std::string_view, 2> kVersions = {"v1.34.0", "v1.34.1"};
  kubelet_version = kubelet_version.substr(0, kubelet_version.find_first_of("+-"));
  return std::find(kVersions.begin(), kVersions.end(), kubelet_version) != kVersions.end();
}

/// The driver in the kubelet's "DRA driver compute-domain.nvidia.com is not registered"; empty
/// where it says something else.
std::string_view unregistered_driver(std::string_view message) {
  constexpr std::string_view kLead = "DRA driver ";
  const std::size_t end = message.find(" is not registered");
  const std::size_t start = message.rfind(kLead, end);
  if (end == std::string_view::npos || start == std::string_view::npos) return {};
  message = message.substr(0, end);
  message.remove_prefix(start + kLead.size());
  return message;
}

Advice restart(const Pod& driver) {
  return {.summary = fmt::format("restart the DRA driver's pod {}/{}, which runs on that node: it "
                                 "then registers again",
                                 driver.ns, driver.name),
          .command = fmt::format("kubectl delete pod -n {} {}", shell_quoted(driver.ns),
                                 shell_quoted(driver.name))};
}

Advice upgrade(const Node& node) {
  return {.summary = fmt::format(
              "upgrade the kubelet of {} to 1.34.2 or newer: {} loses its connection to DRA "
              "drivers (kubernetes/kubernetes#133920)",
              node.name, node.kubelet_version)};
}

Trouble unregistered_trouble(const scheduler::Cluster& cluster, const scheduler::NodeState& node,
                             std::string_view driver, Trouble trouble) {
  if (auto fault = absent_dra_driver(cluster, node, driver)) {
    trouble.summary = fmt::format("the kubelet of {} does not know the DRA driver {}: {}",
                                  node.node->name, driver, fault->detail);
    trouble.advice = std::move(fault->advice);
    return trouble;
  }
  if (const Pod* const pod = dra_driver_pod(cluster, node, driver))
    trouble.advice.push_back(restart(*pod));
  if (loses_drivers(node.node->kubelet_version)) trouble.advice.push_back(upgrade(*node.node));
  if (trouble.advice.empty())
    trouble.advice.push_back(
        {.summary = fmt::format("see whether the kubelet plugin of the DRA driver {} runs on {}, "
                                "and restart its pod",
                                driver, node.node->name),
         .command = pods_on(*node.node)});
  return trouble;
}

}  // namespace

Trouble device_trouble(const scheduler::Cluster& cluster, const Pod& pod,
                       const std::string& message) {
  Trouble trouble{.code = Code::starting,
                  .summary = fmt::format("the kubelet of {} cannot prepare the devices of its "
                                         "claims: {}",
                                         pod.node_name, message)};
  const std::string_view driver = unregistered_driver(message);
  const auto place = cluster.node_named(pod.node_name);
  if (driver.empty() || !place) {
    trouble.advice.push_back(look_at_pod(pod, "see what the DRA driver's pod on " + pod.node_name +
                                                  " logs: the kubelet tries again by itself"));
    return trouble;
  }
  return unregistered_trouble(cluster, cluster.nodes()[*place], driver, std::move(trouble));
}

}  // namespace gpu::diagnose
