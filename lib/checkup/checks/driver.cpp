#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/phrase.hpp"
#include "checkup/checks/check.hpp"
#include "checkup/checks/stack_part.hpp"
#include "diagnose/stack/driver_hang.hpp"

namespace gpu::checkup {
namespace {

using diagnose::Code;
using diagnose::StackFault;

using NodesByVersion = std::map<std::string, std::vector<std::string>>;

NodesByVersion versions_of(const CheckContext& context, Vendor vendor) {
  NodesByVersion versions;
  for (const GpuNode& node : context.nodes)
    if (node.vendor == vendor && node.labels && !node.labels->driver.empty())
      versions[node.labels->driver].push_back(node.node().name);
  return versions;
}

std::string major_of(const std::string& version) { return version.substr(0, version.find('.')); }

/// "570.86.15 on 5 nodes, 580.65 on 1 node".
std::string spread_text(const NodesByVersion& versions) {
  std::vector<std::string> parts;
  for (const auto& [version, nodes] : versions)
    parts.push_back(
        fmt::format("{} on {}", version, counted(static_cast<std::int64_t>(nodes.size()), "node")));
  return few_and_rest(parts, 4);
}

/// Drivers of different majors support different CUDA releases.
void add_spread(const NodesByVersion& versions, CheckResults& results) {
  std::set<std::string> majors;
  for (const auto& [version, nodes] : versions) majors.insert(major_of(version));
  if (majors.size() < 2) return;
  std::vector<std::string> oldest;
  for (const auto& [version, nodes] : versions)
    if (major_of(version) == *majors.begin())
      oldest.insert(oldest.end(), nodes.begin(), nodes.end());
  results.push_back(
      {.state = CheckState::warning,
       .says = "drivers of different major versions are in use: " + spread_text(versions),
       .help =
           "an image may start on some nodes and not on others; bring all to one driver branch, "
           "or let pods select a node by the label nvidia.com/cuda.driver-version.major",
       .command = "kubectl get nodes -L nvidia.com/cuda.driver-version.full",
       .nodes = oldest});
}

void add_hanging(const CheckContext& context, NodeResults& to) {
  for (const GpuNode& node : context.nodes)
    if (const auto version = diagnose::hanging_driver(context.cluster, *node.state))
      to.add(node.node(),
             "has the driver " + *version + ", in which device calls hang where MIG is used",
             StackFault::Reads::behind_name,
             "install the driver 570.172.08 or newer, and restart the kubelet", {});
}

/// Upgrades of drivers that NVIDIA's operator makes.
void add_upgrades(const CheckContext& context, CheckResults& results) {
  NodeResults stuck(CheckState::failed);
  NodeResults under_way(CheckState::warning);
  for (const GpuNode& node : context.nodes)
    if (node.work && node.work->work == diagnose::NodeMaintenance::Work::driver_upgrade)
      (node.work->is_stuck ? stuck : under_way).add(node.node(), *node.work);
  stuck.append_to(results);
  under_way.append_to(results);
}

CheckResult versions_result(const CheckContext& context) {
  std::string says;
  std::size_t known = 0;
  for (const Vendor vendor : {Vendor::nvidia, Vendor::amd, Vendor::intel, Vendor::habana}) {
    const NodesByVersion versions = versions_of(context, vendor);
    for (const auto& [version, nodes] : versions) known += nodes.size();
    if (versions.empty()) continue;
    const bool is_everywhere =
        versions.size() == 1 && versions.begin()->second.size() == context.nodes.size();
    says += (says.empty() ? "" : "; ") +
            (is_everywhere ? versions.begin()->first + " on " + context.all_nodes()
                           : spread_text(versions));
  }
  if (known == 0)
    return {.says = "nothing is wrong with a driver, as far as is told; no label tells a version"};
  if (known < context.nodes.size())
    says += fmt::format("; of {} no label tells it",
                        counted(static_cast<std::int64_t>(context.nodes.size() - known), "node"));
  return {.says = std::move(says)};
}

}  // namespace

CheckResults check_driver(const CheckContext& context) {
  NodeResults broken(CheckState::failed);
  for (const NodeFault& each : context.faults)
    if (each.fault.code == Code::driver_missing && !each.node->work)
      broken.add(each.node->node(), each.fault);
  if (broken.empty()) add_part_faults(context, diagnose::DaemonRole::driver, broken);
  add_hanging(context, broken);
  CheckResults results;
  broken.append_to(results);
  add_spread(versions_of(context, Vendor::nvidia), results);
  add_upgrades(context, results);
  if (results.empty()) results.push_back(versions_result(context));
  return results;
}

}  // namespace gpu::checkup
