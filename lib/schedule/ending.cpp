#include "schedule/ending.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "model/requests.hpp"
#include "schedule/owned_pods.hpp"

namespace gpu::schedule {
namespace {

Ending deletion_of(const Pod& pod) {
  return {.target = "pod/" + pod.ns + "/" + pod.name,
          .command = fmt::format("kubectl delete pod -n {} {}", shell_quoted(pod.ns),
                                 shell_quoted(pod.name)),
          .pods = {&pod}};
}

/// Whether `kubectl scale` takes it.
bool is_scaled(std::string_view kind) {
  constexpr std::array<std::string_view, 4> kKinds = {"Deployment", "ReplicaSet",
                                                      "ReplicationController", "StatefulSet"};
  return std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end();
}

/// Nobody is preempted for devices of DRA, asked for by claims or by the name of a resource.
bool needs_devices(const Cluster& cluster, const Pod& asked) {
  if (!asked.claim_slots.empty()) return true;
  const auto& classes = cluster.snapshot().device_classes;
  if (classes.empty()) return false;
  const ResourceList requests = effective_requests(asked);
  return std::any_of(classes.begin(), classes.end(), [&](const DeviceClass& each) {
    return requests.contains(each.extended_resource) ||
           requests.contains("deviceclass.resource.kubernetes.io/" + each.name);
  });
}

/// Whether what comes in the place of `pod` can be preempted, should the scheduler take it first.
bool may_preempt(const Cluster& cluster, const Pod& asked, const Pod& pod) {
  return asked.preemption_policy != "Never" &&
         pod.priority.value_or(0) < asked.priority.value_or(0) && !needs_devices(cluster, asked);
}

}  // namespace

bool may_be_ended(const Pod& pod) {
  if (pod.ns == "kube-system" || pod.deleted) return false;
  const OwnerReference* const controller = controller_of(pod);
  return controller == nullptr || (controller->kind != "DaemonSet" && controller->kind != "Node");
}

std::optional<Ending> ending_of(const Cluster& cluster, const Pod& pod, const Pod& asked) {
  const OwnerReference* const controller = controller_of(pod);
  if (controller == nullptr || may_preempt(cluster, asked, pod)) return deletion_of(pod);
  Owner owner = top_owner(pod, cluster.snapshot());
  // A CronJob makes its next Job when it is time, not at once.
  if (owner.kind == "CronJob" && controller->kind == "Job")
    owner = {controller->kind, controller->name, controller->uid, controller->api_version};
  if (!is_scaled(owner.kind) && owner.kind != "Job") return std::nullopt;
  // The Deployment of this ReplicaSet was not seen, and would scale it up again.
  if (owner.kind == "ReplicaSet" && pod.labels.contains("pod-template-hash")) return std::nullopt;
  const std::string kind = lower_case(owner.kind);
  const std::string name = shell_quoted(owner.name);
  const std::string ns = shell_quoted(pod.ns);
  return Ending{
      .target = kind + "/" + pod.ns + "/" + owner.name,
      .command = owner.kind == "Job"
                     ? fmt::format("kubectl delete job {} -n {}", name, ns)
                     : fmt::format("kubectl scale {} {} -n {} --replicas=0", kind, name, ns),
      .pods = cluster.shared<OwnedPods>().of(pod.ns, owner.kind, owner.name)};
}

}  // namespace gpu::schedule
