#include "schedule/unknown_resource.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/gpu_resource.hpp"
#include "model/requests.hpp"
#include "schedule/gpu_stack.hpp"

namespace gpu::schedule {
namespace {

bool is_extended(std::string_view name) {
  return name.find('/') != std::string_view::npos &&
         name.find("kubernetes.io/") == std::string_view::npos;
}

bool is_offered(const Cluster& cluster, std::string_view name) {
  for (const NodeState& node : cluster.nodes())
    if (amount_of(node.node->allocatable, name).value() > 0) return true;
  const auto& classes = cluster.snapshot().device_classes;
  return std::any_of(classes.begin(), classes.end(), [&](const DeviceClass& each) {
    return each.extended_resource == name ||
           "deviceclass.resource.kubernetes.io/" + each.name == name;
  });
}

/// The fault that most nodes have that should offer the resource.
struct CommonFault {
  StackFault fault;
  std::string node;
  std::size_t nodes = 0;
};

std::optional<CommonFault> common_fault(const Cluster& cluster, std::string_view resource) {
  std::map<Code, CommonFault> faults;
  for (const NodeState& node : cluster.nodes()) {
    const auto fault = stack_fault(cluster, node, resource);
    if (!fault) continue;
    CommonFault& common = faults[fault->code];
    if (common.nodes++ == 0) {
      common.fault = *fault;
      common.node = node.node->name;
    }
  }
  std::optional<CommonFault> most;
  for (const auto& [code, common] : faults)
    if (!most || common.nodes > most->nodes) most = common;
  return most;
}

Cause fault_cause(const CommonFault& common, std::string_view resource) {
  const std::string where =
      common.nodes == 1 ? common.node : fmt::format("each of {} GPU nodes", common.nodes);
  Cause cause{.code = common.fault.code, .advice = common.fault.advice};
  const std::string_view detail = common.fault.detail;
  cause.summary = says_of_node(detail)
                      ? fmt::format("no node advertises {}; {} {}", resource, where, detail)
                      : fmt::format("no node advertises {}; {}: {}", resource, where, detail);
  cause.nearest = fmt::format("{}: {}", common.node, common.fault.detail);
  return cause;
}

}  // namespace

std::optional<Cause> unknown_resource(const Cluster& cluster, const Pod& pod) {
  for (const auto& [name, amount] : effective_requests(pod)) {
    if (amount.value() <= 0 || !is_extended(name) || is_offered(cluster, name)) continue;
    if (const auto common = common_fault(cluster, name)) return fault_cause(*common, name);
    if (const std::string near = nearest_resource(cluster, name); !near.empty())
      return Cause{
          .code = Code::resource_name_unknown,
          .summary = fmt::format("no node advertises {}; the nearest name is {}", name, near),
          .nearest = "the name " + near};
    const Code code =
        gpu_resource(name) ? Code::resource_not_advertised : Code::resource_name_unknown;
    Cause cause{.code = code,
                .summary = fmt::format("no node advertises {}", name),
                .nearest = "no node has it"};
    if (code == Code::resource_not_advertised)
      cause.advice.push_back(
          {.summary = "add nodes with such GPUs; if some are there, install the driver and the "
                      "device plugin of their maker, or its operator",
           .command = {}});
    else
      cause.advice.push_back(
          {.summary = "correct the name, or install the device plugin that brings it",
           .command = "kubectl get nodes -o custom-columns=NAME:.metadata.name,HAS:.status."
                      "allocatable"});
    return cause;
  }
  return std::nullopt;
}

}  // namespace gpu::schedule
