#include "admission/api/admission.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "admission/api/limit_ranges.hpp"
#include "admission/api/pod_limits.hpp"
#include "model/objects/own_kind.hpp"

namespace gpu::admission {
namespace {

/// As the API server copies limits into requests that are not given.
void copy_limits(std::vector<Container>& containers) {
  for (Container& container : containers)
    for (const auto& [name, amount] : container.limits)
      if (!container.requests.contains(name)) container.requests.set(name, amount);
}

/// As the API server gives a pod that has limits of its own the requests that are not given: the
/// containers' sum, else the limit (defaultPodRequests).
void set_pod_level_requests(Pod& pod) {
  if (!pod.pod_limits || pod.pod_limits->empty()) return;
  ResourceList requests = pod.pod_requests.value_or(ResourceList{});
  for (const auto& [name, amount] : total_of(pod, &Container::requests))
    if ((name == "cpu" || name == "memory") && !requests.contains(name)) requests.set(name, amount);
  for (const auto& [name, amount] : *pod.pod_limits)
    if (is_pod_level(name) && !requests.contains(name)) requests.set(name, amount);
  if (!requests.empty()) pod.pod_requests = std::move(requests);
}

void add_class_priority(Pod& pod, const SchedulingFacts& facts) {
  for (const PriorityClass& each : facts.priority_classes) {
    const bool is_it =
        pod.priority_class.empty() ? each.is_default : each.name == pod.priority_class;
    if (!is_it) continue;
    if (!pod.priority) pod.priority = each.value;
    if (pod.preemption_policy.empty()) pod.preemption_policy = each.preemption_policy;
  }
}

void add_runtime_class(Pod& pod, const SchedulingFacts& facts) {
  for (const RuntimeClass& each : facts.runtime_classes) {
    if (pod.runtime_class.empty() || each.name != pod.runtime_class) continue;
    if (pod.overhead.empty()) pod.overhead = each.overhead;
    for (const auto& [key, value] : each.node_selector) pod.node_selector.set(key, value);
    pod.tolerations.insert(pod.tolerations.end(), each.tolerations.begin(), each.tolerations.end());
  }
}

/// What the DaemonSet controller gives every pod.
void add_daemon_tolerations(Pod& pod) {
  for (const char* key : {"not-ready", "unreachable"})
    pod.tolerations.push_back(
        {.key = std::string("node.kubernetes.io/") + key, .op = "Exists", .effect = "NoExecute"});
  for (const char* key : {"disk-pressure", "memory-pressure", "pid-pressure", "unschedulable"})
    pod.tolerations.push_back(
        {.key = std::string("node.kubernetes.io/") + key, .op = "Exists", .effect = "NoSchedule"});
}

}  // namespace

void admit(Pod& pod, const SchedulingFacts& facts) {
  copy_limits(pod.containers);
  copy_limits(pod.init_containers);
  set_pod_level_requests(pod);
  add_default_resources(pod, facts);
  if (pod.scheduler_name.empty()) pod.scheduler_name = "default-scheduler";
  add_class_priority(pod, facts);
  add_runtime_class(pod, facts);
  if (!pod.owners.empty() && is_own(pod.owners.front(), "DaemonSet")) add_daemon_tolerations(pod);
}

Pod as_written(Pod pod, const SchedulingFacts& facts) {
  for (const RuntimeClass& each : facts.runtime_classes) {
    if (pod.runtime_class.empty() || each.name != pod.runtime_class) continue;
    for (const Toleration& given : each.tolerations) {
      // The author may have written the same: that one stands before.
      const auto last = std::find(pod.tolerations.rbegin(), pod.tolerations.rend(), given);
      if (last != pod.tolerations.rend()) pod.tolerations.erase(std::next(last).base());
    }
  }
  return pod;
}

}  // namespace gpu::admission
