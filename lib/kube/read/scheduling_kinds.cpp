#include "kube/read/scheduling_kinds.hpp"

#include <algorithm>
#include <array>

namespace gpu::kube {
namespace {

constexpr auto kKinds = std::to_array<FactKind>({
    {"Namespace", "", "v1", "namespaces", Scope::cluster, Reason::always},
    {"ResourceQuota", "", "v1", "resourcequotas", Scope::namespaced, Reason::always},
    {"LimitRange", "", "v1", "limitranges", Scope::namespaced, Reason::planned},
    {"Event", "", "v1", "events", Scope::namespaced, Reason::events},
    {"PersistentVolumeClaim", "", "v1", "persistentvolumeclaims", Scope::namespaced,
     Reason::volumes},
    {"PersistentVolume", "", "v1", "persistentvolumes", Scope::cluster, Reason::volumes},
    {"StorageClass", "storage.k8s.io", "v1", "storageclasses", Scope::cluster, Reason::volumes},
    {"CSINode", "storage.k8s.io", "v1", "csinodes", Scope::cluster, Reason::volumes},
    {"CSIDriver", "storage.k8s.io", "v1", "csidrivers", Scope::cluster, Reason::volumes},
    {"CSIStorageCapacity", "storage.k8s.io", "v1 v1beta1", "csistoragecapacities",
     Scope::namespaced, Reason::volumes},
    {"VolumeAttachment", "storage.k8s.io", "v1", "volumeattachments", Scope::cluster,
     Reason::volumes},
    {"ResourceClaimTemplate", "resource.k8s.io", "v1 v1beta2 v1beta1", "resourceclaimtemplates",
     Scope::namespaced, Reason::claims},
    {"DaemonSet", "apps", "v1", "daemonsets", Scope::namespaced, Reason::always},
    {"PriorityClass", "scheduling.k8s.io", "v1", "priorityclasses", Scope::cluster, Reason::always},
    {"RuntimeClass", "node.k8s.io", "v1", "runtimeclasses", Scope::cluster, Reason::always},
    {"Lease", "coordination.k8s.io", "v1", "leases", Scope::namespaced, Reason::leases},
    {"Workload", "kueue.x-k8s.io", "v1beta2 v1beta1", "workloads", Scope::namespaced,
     Reason::always},
    {"LocalQueue", "kueue.x-k8s.io", "v1beta2 v1beta1", "localqueues", Scope::namespaced,
     Reason::always},
    {"ClusterQueue", "kueue.x-k8s.io", "v1beta2 v1beta1", "clusterqueues", Scope::cluster,
     Reason::always},
    {"Cohort", "kueue.x-k8s.io", "v1beta2 v1beta1 v1alpha1", "cohorts", Scope::cluster,
     Reason::always},
    {"ResourceFlavor", "kueue.x-k8s.io", "v1beta2 v1beta1", "resourceflavors", Scope::cluster,
     Reason::planned},
});

}  // namespace

std::span<const FactKind> fact_kinds() { return kKinds; }

const FactKind* fact_kind(std::string_view kind, std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  std::string_view group =
      slash == std::string_view::npos ? std::string_view{} : api_version.substr(0, slash);
  if (group == "events.k8s.io") group = {};  // the same events by another name
  const auto* const found = std::find_if(kKinds.begin(), kKinds.end(), [&](const FactKind& each) {
    return each.kind == kind && each.group == group;
  });
  return found == kKinds.end() ? nullptr : found;
}

std::string resource_of(const FactKind& kind) {
  return std::string(kind.plural) + (kind.group.empty() ? "" : "." + std::string(kind.group));
}

}  // namespace gpu::kube
