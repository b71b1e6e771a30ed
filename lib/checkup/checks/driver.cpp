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

/// The newest CUDA that the driver of each node knows: "12.8". GPU feature discovery tells it.
NodesByVersion cuda_of(const CheckContext& context) {
  NodesByVersion versions;
  for (const GpuNode& node : context.nodes) {
    const StringMap& labels = node.node().labels;
    std::string_view major = value_of(labels, "nvidia.com/cuda.runtime-version.major");
    std::string_view minor = value_of(labels, "nvidia.com/cuda.runtime-version.minor");
    if (major.empty()) {
      major = value_of(labels, "nvidia.com/cuda.runtime.major");
      minor = value_of(labels, "nvidia.com/cuda.runtime.minor");
    }
    if (major.empty()) continue;
    const std::string version(major);
    versions[minor.empty() ? version : version + "." + std::string(minor)].push_back(
        node.node().name);
  }
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

/// "9" before "12".
bool is_older(const std::string& one, const std::string& other) {
  return one.size() != other.size() ? one.size() < other.size() : one < other;
}

/// Nodes of the oldest major version; none where there is one major alone.
std::vector<std::string> oldest_of(const NodesByVersion& versions) {
  std::set<std::string> majors;
  for (const auto& [version, nodes] : versions) majors.insert(major_of(version));
  if (majors.size() < 2) return {};
  const std::string oldest = *std::min_element(majors.begin(), majors.end(), is_older);
  std::vector<std::string> found;
  for (const auto& [version, nodes] : versions)
    if (major_of(version) == oldest) found.insert(found.end(), nodes.begin(), nodes.end());
  return found;
}

/// Drivers of different majors support different CUDA releases. Where no label tells drivers apart,
/// the CUDA that they know does.
void add_spread(const NodesByVersion& versions, const NodesByVersion& cuda, CheckResults& results) {
  const std::vector<std::string> oldest = oldest_of(versions);
  const std::vector<std::string> oldest_cuda = oldest_of(cuda);
  if (oldest.empty() && oldest_cuda.empty()) return;
  if (oldest.empty()) {
    results.push_back(
        {.state = CheckState::warning,
         .says = "drivers know different major versions of CUDA: " + spread_text(cuda),
         .help = "an image of the newer CUDA may start on some nodes and not on others; bring all "
                 "to one driver branch, or select nodes in pods by the label "
                 "nvidia.com/cuda.runtime-version.major",
         .command = "kubectl get nodes -L nvidia.com/cuda.runtime-version.full",
         .nodes = oldest_cuda});
    return;
  }
  results.push_back(
      {.state = CheckState::warning,
       .says = "drivers of different major versions are in use: " + spread_text(versions) +
               (cuda.size() > 1 ? "; they know CUDA " + spread_text(cuda) : ""),
       .help = "an image may start on some nodes and not on others; bring all to one driver "
               "branch, or select nodes in pods by the label nvidia.com/cuda.driver-version.major",
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
    const NodesByVersion cuda = vendor == Vendor::nvidia ? cuda_of(context) : NodesByVersion{};
    if (cuda.size() == 1) says += fmt::format(" (CUDA {})", cuda.begin()->first);
    if (cuda.size() > 1) says += fmt::format(" (CUDA {})", spread_text(cuda));
  }
  if (known == 0) return {.says = "no driver is known to be at fault; no label tells a version"};
  if (known < context.nodes.size())
    says += fmt::format("; no label shows it for {}",
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
  add_spread(versions_of(context, Vendor::nvidia), cuda_of(context), results);
  add_upgrades(context, results);
  if (results.empty()) results.push_back(versions_result(context));
  return results;
}

}  // namespace gpu::checkup
