#include "diagnose/nodes/unknown_resource.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "diagnose/stack/gpu_stack.hpp"
#include "diagnose/stack/resource_names.hpp"
#include "diagnose/stack/stack_pods.hpp"
#include "model/gpu/gpu_resource.hpp"
#include "model/objects/selector_text.hpp"
#include "model/snapshot/requests.hpp"
#include "scheduler/filters/shared_gpus.hpp"

namespace gpu::diagnose {
namespace {

/// What Kubernetes itself called NVIDIA's GPUs before there were device plugins.
constexpr std::string_view kOldName = "alpha.kubernetes.io/nvidia-gpu";

bool is_extended(std::string_view name) {
  return name == kOldName || (name.find('/') != std::string_view::npos &&
                              name.find("kubernetes.io/") == std::string_view::npos);
}

Cause old_name() {
  const std::string_view now = usual_resource(Vendor::nvidia);
  return {.code = Code::resource_name_unknown,
          .summary = fmt::format("no node advertises {}; since Kubernetes 1.11 the name is {}",
                                 kOldName, now),
          .nearest = fmt::format("the name {}", now),
          .remarks = {},
          .advice = {{.summary = fmt::format("write {} instead of {}", now, kOldName),
                      .command = {},
                      .kind = AdviceKind::edit}}};
}

/// Nodes with one fault, told in the same words.
struct FaultGroup {
  StackFault fault;
  std::string node;  ///< the first
  std::size_t nodes = 0;
};

/// What is wrong with the nodes that should offer a resource: the commonest first.
struct CommonFaults {
  std::vector<FaultGroup> groups;
  std::size_t nodes = 0;
};

CommonFaults faults_on(const scheduler::Cluster& cluster, std::string_view resource) {
  CommonFaults found;
  if (!gpu_resource(resource)) return found;
  std::map<std::pair<Code, std::string>, FaultGroup> groups;
  std::map<Code, std::size_t> by_code;
  const auto& faults = cluster.shared<StackFaults>();
  for (std::size_t node = 0; node < cluster.nodes().size(); ++node) {
    const auto& fault = faults.of(node, resource);
    if (!fault) continue;
    ++found.nodes;
    ++by_code[fault->code];
    FaultGroup& group = groups[{fault->code, fault->detail}];
    if (group.nodes++ == 0) {
      group.fault = *fault;
      group.node = cluster.nodes()[node].node->name;
    }
  }
  for (auto& [key, group] : groups) found.groups.push_back(std::move(group));
  std::stable_sort(
      found.groups.begin(), found.groups.end(), [&](const FaultGroup& a, const FaultGroup& b) {
        const auto rank = [&](const FaultGroup& each) {
          return std::tuple(by_code[each.fault.code], each.nodes, !each.fault.is_vague);
        };
        return rank(a) > rank(b);
      });
  return found;
}

/// "gpu-1", "each of 2 GPU nodes", "each of 3 GPU nodes (of 5)".
std::string where_text(const FaultGroup& group, std::size_t all) {
  if (group.nodes == 1) return group.node;
  return group.nodes == all ? fmt::format("each of {} GPU nodes", all)
                            : fmt::format("each of {} GPU nodes (of {})", group.nodes, all);
}

std::string fault_text(const FaultGroup& group, std::size_t all) {
  const std::string& detail = group.fault.detail;
  return fmt::format("{}{}{}", where_text(group, all),
                     group.fault.reads == StackFault::Reads::behind_name ? " " : ": ", detail);
}

Cause fault_cause(const CommonFaults& faults, std::string_view resource) {
  constexpr std::size_t kMost = 4;
  const FaultGroup& first = faults.groups.front();
  Cause cause{.code = first.fault.code,
              .summary = fmt::format("no node advertises {}; {}", resource,
                                     fault_text(first, faults.nodes)),
              .nearest = fmt::format("{}: {}", first.node, first.fault.detail),
              .advice = first.fault.advice};
  std::size_t told = first.nodes;
  for (std::size_t i = 1; i < std::min(faults.groups.size(), kMost); ++i) {
    const FaultGroup& group = faults.groups[i];
    told += group.nodes;
    cause.remarks.push_back({fault_text(group, faults.nodes)});
    for (const Advice& each : group.fault.advice) {
      const bool is_said =
          std::any_of(cause.advice.begin(), cause.advice.end(),
                      [&](const Advice& it) { return it.summary == each.summary; });
      if (!is_said) cause.advice.push_back(each);
    }
  }
  if (told < faults.nodes)
    cause.remarks.push_back({fmt::format(
        "{} more GPU {} for other reasons", faults.nodes - told,
        faults.nodes - told == 1 ? "node does not offer it" : "nodes do not offer it")});
  return cause;
}

/// Nodes whose kubelet knows a resource, and has none of it: its plugin has registered none, or is
/// gone.
std::vector<const Node*> nodes_with_none(const scheduler::Cluster& cluster,
                                         const std::string& resource) {
  std::vector<const Node*> nodes;
  for (const scheduler::NodeState& each : cluster.nodes())
    if (each.node->capacity.contains(resource)) nodes.push_back(each.node);
  return nodes;
}

Cause none_registered(const std::string& resource, const std::vector<const Node*>& nodes) {
  std::vector<std::string> names;
  for (const Node* node : nodes) names.push_back(node->name);
  return {.code = Code::resource_not_advertised,
          .summary = fmt::format("no node has any {}; {} {} it with 0: its device plugin has "
                                 "registered none, or is gone",
                                 resource, names_text(names),
                                 names.size() == 1 ? "advertises" : "advertise"),
          .nearest = names.front() + " has 0 of it",
          .advice = {{.summary = fmt::format("see the log of the device plugin of {} on {}, and "
                                             "whether its hardware is there",
                                             resource, names.front()),
                      .command = pods_on(*nodes.front())}}};
}

/// Causes that were found before, by resource: Cluster::shared().
class UnknownResources {
 public:
  explicit UnknownResources(const scheduler::Cluster& cluster) : cluster_(cluster) {}

  const Cause& of(const std::string& resource) const {
    const auto known = known_.find(resource);
    if (known != known_.end()) return known->second;
    return known_.emplace(resource, cause_of(resource)).first->second;
  }

 private:
  [[nodiscard]] Cause cause_of(const std::string& name) const {
    if (name == kOldName) return old_name();
    const CommonFaults faults = faults_on(cluster_, name);
    if (!faults.groups.empty()) return fault_cause(faults, name);
    if (const auto nodes = nodes_with_none(cluster_, name); !nodes.empty())
      return none_registered(name, nodes);
    if (const std::string& near = cluster_.shared<ResourceNames>().nearest(name); !near.empty())
      return {.code = Code::resource_name_unknown,
              .summary = fmt::format("no node advertises {}; the nearest name is {}", name, near),
              .nearest = "the name " + near};
    Cause cause{
        .code = gpu_resource(name) ? Code::resource_not_advertised : Code::resource_name_unknown,
        .summary = fmt::format("no node advertises {}", name),
        .nearest = "no node has it"};
    if (cause.code == Code::resource_not_advertised)
      cause.advice.push_back(
          {.summary = "add nodes with such GPUs; if some are there, install the driver and the "
                      "device plugin of their maker, or its operator",
           .command = {},
           .kind = AdviceKind::add_node});
    else
      cause.advice.push_back(
          {.summary = "correct the name, or install the device plugin that brings it",
           .command = "kubectl get nodes -o custom-columns=NAME:.metadata.name,HAS:.status."
                      "allocatable"});
    return cause;
  }

  const scheduler::Cluster& cluster_;
  mutable std::map<std::string, Cause> known_;
};

/// Memory and cores that HAMi hands out, of a pod that its webhook did not give to its scheduler.
std::optional<Cause> past_hami(const scheduler::Cluster& cluster, const Pod& pod) {
  for (const auto& [name, amount] : effective_requests(pod)) {
    if (amount.value() <= 0 || !scheduler::goes_round_hami(cluster, pod, name)) continue;
    return Cause{
        .code = Code::resource_name_unknown,
        .summary = fmt::format("HAMi's scheduler alone hands out {}, and the pod's scheduler is {}",
                               name, pod.scheduler_name),
        .nearest = "not HAMi's scheduler",
        .advice = {{.summary =
                        "set spec.schedulerName to HAMi's scheduler (hami-scheduler), or see "
                        "why its webhook did not: it leaves out pods and namespaces with "
                        "the label hami.io/webhook=ignore"}}};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Cause> unknown_resource(const scheduler::Cluster& cluster, const Pod& pod) {
  const auto& names = cluster.shared<ResourceNames>();
  const std::string* first = nullptr;
  bool is_gpu = false;
  const ResourceList requests = effective_requests(pod);
  for (const auto& [name, amount] : requests) {
    if (amount.value() <= 0 || !is_extended(name) || names.is_offered(name)) continue;
    if (scheduler::is_left_to_hami(cluster, pod, name)) continue;
    // GPUs are what it is about, wherever their name stands among the others.
    if (first != nullptr && (is_gpu || !gpu_resource(name))) continue;
    first = &name;
    is_gpu = gpu_resource(name).has_value();
  }
  if (first == nullptr) return std::nullopt;
  if (auto cause = past_hami(cluster, pod)) return cause;
  return cluster.shared<UnknownResources>().of(*first);
}

}  // namespace gpu::diagnose
