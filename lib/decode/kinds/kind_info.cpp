#include "decode/kinds/kind_info.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <tuple>
#include <vector>

#include "decode/kinds/api_group.hpp"
#include "decode/kinds/event.hpp"
#include "decode/kinds/gpu_operator.hpp"
#include "decode/kinds/job.hpp"
#include "decode/kinds/kai.hpp"
#include "decode/kinds/karpenter.hpp"
#include "decode/kinds/kind_fields.hpp"
#include "decode/kinds/kueue.hpp"
#include "decode/kinds/policy_object.hpp"
#include "decode/kinds/storage_object.hpp"
#include "decode/kinds/volcano.hpp"
#include "decode/kinds/volume_object.hpp"
#include "decode/objects/metadata.hpp"
#include "decode/objects/resource_claim.hpp"
#include "decode/wire/json_fields.hpp"

namespace gpu::decode {
namespace {

using nlohmann::json;
using Facts = SchedulingFacts;
using Kind = ObjectKind;

/// Schedulers elect a leader in kube-system; elsewhere kubelets renew a lease for each node.
void take_lease(const json& object, SchedulingFacts& facts) {
  const std::string nowhere;
  naming_object("Lease", nowhere, nowhere, [&] {
    const JsonObject root(object, Path{});
    const auto metadata = root.object("metadata");
    if (metadata && metadata->text("namespace") == "kube-system")
      facts.leases.push_back(metadata->text("name"));
  });
}

void sort_leases(SchedulingFacts& facts) { std::sort(facts.leases.begin(), facts.leases.end()); }

void sort_events(SchedulingFacts& facts) {
  std::stable_sort(facts.events.begin(), facts.events.end(), [](const Event& a, const Event& b) {
    return std::tie(a.last, a.first, a.ns, a.object, a.reason) <
           std::tie(b.last, b.first, b.ns, b.object, b.reason);
  });
}

template <class Object>
void sort_by_name(std::vector<Object>& objects) {
  std::sort(objects.begin(), objects.end(), [](const Object& a, const Object& b) {
    if constexpr (requires { a.ns; })
      return std::tie(a.ns, a.name) < std::tie(b.ns, b.name);
    else
      return a.name < b.name;
  });
}

/// A kind whose objects stand in the list `member` by name; `read` decodes one.
template <auto member, auto read>
constexpr KindStorage listed() {
  return {.take = [](const json& object,
                     SchedulingFacts& facts) { (facts.*member).push_back(read(object)); },
          .sort = [](SchedulingFacts& facts) { sort_by_name(facts.*member); }};
}

constexpr KindStorage kEvents = {
    .take = [](const json& object,
               SchedulingFacts& facts) { facts.events.push_back(event_from_json(object)); },
    .sort = sort_events};

constexpr KindStorage kLeases = {.take = take_lease, .sort = sort_leases};

/// What owner walks leave in a snapshot is metadata alone: it tells nothing of pods.
void take_job(const json& object, SchedulingFacts& facts) {
  if (object.is_object() && object.contains("spec")) facts.jobs.push_back(job_from_json(object));
}

void sort_jobs(SchedulingFacts& facts) { sort_by_name(facts.jobs); }

constexpr KindStorage kJobs = {.take = take_job, .sort = sort_jobs};

/// Kueue's, by its name, and those of device plugins, by what they hold. Files may have others.
void take_config_map(const json& object, SchedulingFacts& facts) {
  const JsonObject root(object, Path{});
  const auto metadata = root.object("metadata");
  if (metadata && metadata->text("name") == kQueueConfigName)
    facts.queue_configs.push_back(queue_config_from_json(object));
  else if (auto config = plugin_config_from_json(object))
    facts.plugin_configs.push_back(*std::move(config));
}

constexpr KindStorage kConfigMaps = {.take = take_config_map, .sort = [](SchedulingFacts& facts) {
                                       sort_by_name(facts.plugin_configs);
                                     }};

constexpr std::string_view kKueue = "kueue.x-k8s.io";
constexpr std::string_view kStorage = "storage.k8s.io";
constexpr std::string_view kVolcano = "scheduling.volcano.sh";
constexpr std::string_view kKueueVersions = "v1beta2 v1beta1";
constexpr std::string_view kCohortVersions = "v1beta2 v1beta1 v1alpha1";
constexpr std::string_view kDeviceVersions = "v1 v1beta2 v1beta1";

// A row: what commands call it; kind, group, versions, plural; where it lives and when it is worth
// reading; how it is decoded and kept; its whitelist for snapshots.
constexpr auto kKinds = std::to_array<KindInfo>({
    {Kind::name_space, "Namespace", "", "v1", "namespaces", Scope::cluster, When::always,
     listed<&Facts::namespaces, namespace_from_json>(), namespace_fields},
    {Kind::resource_quota, "ResourceQuota", "", "v1", "resourcequotas", Scope::namespaced,
     When::always, listed<&Facts::quotas, resource_quota_from_json>(), resource_quota_fields},
    {Kind::limit_range, "LimitRange", "", "v1", "limitranges", Scope::namespaced, When::always,
     listed<&Facts::limit_ranges, limit_range_from_json>(), limit_range_fields},
    {Kind::event, "Event", "", "v1", "events", Scope::namespaced, When::events, kEvents,
     event_fields},
    {Kind::volume_claim, "PersistentVolumeClaim", "", "v1", "persistentvolumeclaims",
     Scope::namespaced, When::volumes, listed<&Facts::volume_claims, volume_claim_from_json>(),
     volume_claim_fields},
    {Kind::volume, "PersistentVolume", "", "v1", "persistentvolumes", Scope::cluster, When::volumes,
     listed<&Facts::volumes, persistent_volume_from_json>(), persistent_volume_fields},
    {Kind::storage_class, "StorageClass", kStorage, "v1", "storageclasses", Scope::cluster,
     When::volumes, listed<&Facts::storage_classes, storage_class_from_json>(),
     storage_class_fields},
    {Kind::csi_node, "CSINode", kStorage, "v1", "csinodes", Scope::cluster, When::volumes,
     listed<&Facts::csi_nodes, csi_node_from_json>(), csi_node_fields},
    {Kind::csi_driver, "CSIDriver", kStorage, "v1", "csidrivers", Scope::cluster, When::volumes,
     listed<&Facts::csi_drivers, csi_driver_from_json>(), csi_driver_fields},
    {Kind::storage_capacity, "CSIStorageCapacity", kStorage, "v1 v1beta1", "csistoragecapacities",
     Scope::namespaced, When::volumes,
     listed<&Facts::storage_capacities, storage_capacity_from_json>(), storage_capacity_fields},
    {Kind::volume_attachment, "VolumeAttachment", kStorage, "v1", "volumeattachments",
     Scope::cluster, When::volumes, listed<&Facts::attachments, volume_attachment_from_json>(),
     volume_attachment_fields},
    {Kind::claim_template, "ResourceClaimTemplate", "resource.k8s.io", kDeviceVersions,
     "resourceclaimtemplates", Scope::namespaced, When::claims,
     listed<&Facts::claim_templates, claim_template_from_json>(), claim_template_fields},
    {Kind::daemon_set, "DaemonSet", "apps", "v1", "daemonsets", Scope::namespaced, When::always,
     listed<&Facts::daemon_sets, daemon_set_from_json>(), daemon_set_fields},
    {Kind::priority_class, "PriorityClass", "scheduling.k8s.io", "v1", "priorityclasses",
     Scope::cluster, When::always, listed<&Facts::priority_classes, priority_class_from_json>(),
     priority_class_fields},
    {Kind::disruption_budget, "PodDisruptionBudget", "policy", "v1", "poddisruptionbudgets",
     Scope::namespaced, When::always,
     listed<&Facts::disruption_budgets, disruption_budget_from_json>(), disruption_budget_fields},
    {Kind::runtime_class, "RuntimeClass", "node.k8s.io", "v1", "runtimeclasses", Scope::cluster,
     When::always, listed<&Facts::runtime_classes, runtime_class_from_json>(),
     runtime_class_fields},
    {Kind::lease, "Lease", "coordination.k8s.io", "v1", "leases", Scope::namespaced,
     When::kube_system, kLeases, lease_fields},
    {Kind::workload, "Workload", kKueue, kKueueVersions, "workloads", Scope::namespaced,
     When::always, listed<&Facts::workloads, queued_workload_from_json>(), workload_fields},
    {Kind::local_queue, "LocalQueue", kKueue, kKueueVersions, "localqueues", Scope::namespaced,
     When::always, listed<&Facts::local_queues, local_queue_from_json>(), local_queue_fields},
    {Kind::cluster_queue, "ClusterQueue", kKueue, kKueueVersions, "clusterqueues", Scope::cluster,
     When::always, listed<&Facts::cluster_queues, cluster_queue_from_json>(), cluster_queue_fields},
    {Kind::cohort, "Cohort", kKueue, kCohortVersions, "cohorts", Scope::cluster, When::always,
     listed<&Facts::cohorts, cohort_from_json>(), cohort_fields},
    {Kind::kai_queue, "Queue", "scheduling.run.ai", "v2", "queues", Scope::cluster, When::kai,
     listed<&Facts::kai_queues, kai_queue_from_json>(), kai_queue_fields},
    {Kind::volcano_queue,
     "Queue",
     kVolcano,
     "v1beta1",
     "queues",
     Scope::cluster,
     When::always,
     listed<&Facts::volcano_queues, volcano_queue_from_json>(),
     volcano_queue_fields,
     {},
     Part::whole,
     {},
     "queues.scheduling.volcano.sh"},
    {Kind::volcano_pod_group,
     "PodGroup",
     kVolcano,
     "v1beta1",
     "podgroups",
     Scope::namespaced,
     When::always,
     listed<&Facts::volcano_pod_groups, volcano_pod_group_from_json>(),
     volcano_pod_group_fields,
     {},
     Part::whole,
     {},
     "podgroups.scheduling.volcano.sh"},
    {Kind::resource_flavor, "ResourceFlavor", kKueue, kKueueVersions, "resourceflavors",
     Scope::cluster, When::always, listed<&Facts::resource_flavors, resource_flavor_from_json>(),
     resource_flavor_fields},
    {Kind::api_group, "APIGroupDiscovery", "apidiscovery.k8s.io", "v2 v2beta1", "apigroups",
     Scope::cluster, When::always, listed<&Facts::api_groups, api_group_from_json>(),
     api_group_fields, "/apis"},
    {Kind::job, "Job", "batch", "v1", "jobs", Scope::namespaced, When::owners, kJobs, job_fields},
    {Kind::karpenter_node_pool, "NodePool", "karpenter.sh", "v1 v1beta1", "nodepools",
     Scope::cluster, When::always,
     listed<&Facts::karpenter_node_pools, karpenter_node_pool_from_json>(),
     karpenter_node_pool_fields},
    {Kind::queue_config,
     "ConfigMap",
     "",
     "v1",
     "configmaps",
     Scope::namespaced,
     When::kueue,
     kConfigMaps,
     nullptr,
     {},
     Part::whole,
     kQueueConfigName},
    {Kind::secret,
     "Secret",
     "",
     "v1",
     "secrets",
     Scope::namespaced,
     When::planned,
     listed<&Facts::secrets, secret_name_from_json>(),
     nullptr,
     {},
     Part::metadata},
    {Kind::cluster_policy, "ClusterPolicy", "nvidia.com", "v1", "clusterpolicies", Scope::cluster,
     When::always, listed<&Facts::cluster_policies, cluster_policy_from_json>(),
     cluster_policy_fields},
});

std::string text_in(const json& object, std::string_view name) {
  if (!object.is_object()) return {};
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

std::span<const KindInfo> kinds() { return kKinds; }

const KindInfo& info_of(ObjectKind kind) {
  return *std::find_if(kKinds.begin(), kKinds.end(),
                       [&](const KindInfo& each) { return each.id == kind; });
}

std::string_view group_of(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view{} : api_version.substr(0, slash);
}

const KindInfo* find_kind(std::string_view kind, std::string_view api_version) {
  std::string_view group = group_of(api_version);
  if (group == "events.k8s.io") group = {};  // the same events by another name
  const auto* const found = std::find_if(kKinds.begin(), kKinds.end(), [&](const KindInfo& each) {
    return each.kind == kind && each.group == group;
  });
  return found == kKinds.end() ? nullptr : found;
}

bool is_wanted(const KindInfo& kind, ObjectKinds wanted) {
  return wanted.contains(kind.id) ||
         (kind.id == ObjectKind::queue_config && wanted.contains(ObjectKind::plugin_config));
}

std::string coverage_key(const KindInfo& kind) {
  return std::string(kind.coverage.empty() ? kind.plural : kind.coverage);
}

std::string resource_of(const KindInfo& kind) {
  return std::string(kind.plural) + (kind.group.empty() ? "" : "." + std::string(kind.group));
}

Taken take_object(const json& object, SchedulingFacts& facts) {
  const KindInfo* const kind = find_kind(text_in(object, "kind"), text_in(object, "apiVersion"));
  if (kind == nullptr) return Taken::no;
  kind->storage.take(object, facts);
  return Taken::yes;
}

void sort_facts(SchedulingFacts& facts) {
  for (const KindInfo& kind : kKinds) kind.storage.sort(facts);
  sort_by_name(facts.other_slices);
}

}  // namespace gpu::decode
