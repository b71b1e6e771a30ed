#include "decode/objects/scheduling_object.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <tuple>

#include "decode/objects/event.hpp"
#include "decode/objects/kueue.hpp"
#include "decode/objects/metadata.hpp"
#include "decode/objects/policy_object.hpp"
#include "decode/objects/resource_claim.hpp"
#include "decode/objects/storage_object.hpp"
#include "decode/objects/volume_object.hpp"
#include "decode/wire/json_fields.hpp"

namespace gpu::decode {
namespace {

using nlohmann::json;

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

/// A kind of an API group, and what is done with an object of it.
struct Kind {
  std::string_view group;
  std::string_view kind;
  void (*take)(const json& object, SchedulingFacts& facts);
};

/// Appends what `read` makes of an object to the list `member`.
template <auto member, auto read>
void append(const json& object, SchedulingFacts& facts) {
  (facts.*member).push_back(read(object));
}

constexpr std::array<Kind, 22> kKinds = {{
    {"", "Namespace", append<&SchedulingFacts::namespaces, namespace_from_json>},
    {"", "PersistentVolumeClaim", append<&SchedulingFacts::volume_claims, volume_claim_from_json>},
    {"", "PersistentVolume", append<&SchedulingFacts::volumes, persistent_volume_from_json>},
    {"", "ResourceQuota", append<&SchedulingFacts::quotas, resource_quota_from_json>},
    {"", "LimitRange", append<&SchedulingFacts::limit_ranges, limit_range_from_json>},
    {"", "Event", append<&SchedulingFacts::events, event_from_json>},
    {"events.k8s.io", "Event", append<&SchedulingFacts::events, event_from_json>},
    {"storage.k8s.io", "StorageClass",
     append<&SchedulingFacts::storage_classes, storage_class_from_json>},
    {"storage.k8s.io", "CSINode", append<&SchedulingFacts::csi_nodes, csi_node_from_json>},
    {"storage.k8s.io", "CSIDriver", append<&SchedulingFacts::csi_drivers, csi_driver_from_json>},
    {"storage.k8s.io", "CSIStorageCapacity",
     append<&SchedulingFacts::storage_capacities, storage_capacity_from_json>},
    {"storage.k8s.io", "VolumeAttachment",
     append<&SchedulingFacts::attachments, volume_attachment_from_json>},
    {"resource.k8s.io", "ResourceClaimTemplate",
     append<&SchedulingFacts::claim_templates, claim_template_from_json>},
    {"apps", "DaemonSet", append<&SchedulingFacts::daemon_sets, daemon_set_from_json>},
    {"scheduling.k8s.io", "PriorityClass",
     append<&SchedulingFacts::priority_classes, priority_class_from_json>},
    {"node.k8s.io", "RuntimeClass",
     append<&SchedulingFacts::runtime_classes, runtime_class_from_json>},
    {"coordination.k8s.io", "Lease", take_lease},
    {"kueue.x-k8s.io", "Workload", append<&SchedulingFacts::workloads, queued_workload_from_json>},
    {"kueue.x-k8s.io", "LocalQueue", append<&SchedulingFacts::local_queues, local_queue_from_json>},
    {"kueue.x-k8s.io", "ClusterQueue",
     append<&SchedulingFacts::cluster_queues, cluster_queue_from_json>},
    {"kueue.x-k8s.io", "Cohort", append<&SchedulingFacts::cohorts, cohort_from_json>},
    {"kueue.x-k8s.io", "ResourceFlavor",
     append<&SchedulingFacts::resource_flavors, resource_flavor_from_json>},
}};

std::string text_in(const json& object, std::string_view name) {
  if (!object.is_object()) return {};
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
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

}  // namespace

Taken take_scheduling_object(const json& object, SchedulingFacts& facts) {
  return take_scheduling_object(object, text_in(object, "apiVersion"), text_in(object, "kind"),
                                facts);
}

Taken take_scheduling_object(const json& object, std::string_view api_version,
                             std::string_view kind, SchedulingFacts& facts) {
  const std::size_t slash = api_version.find('/');
  const std::string_view group =
      slash == std::string_view::npos ? std::string_view{} : api_version.substr(0, slash);
  const auto* const found = std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& each) {
    return each.kind == kind && each.group == group;
  });
  if (found == kKinds.end()) return Taken::no;
  found->take(object, facts);
  return Taken::yes;
}

void sort_facts(SchedulingFacts& facts) {
  sort_by_name(facts.namespaces);
  sort_by_name(facts.volume_claims);
  sort_by_name(facts.volumes);
  sort_by_name(facts.storage_classes);
  sort_by_name(facts.csi_nodes);
  sort_by_name(facts.csi_drivers);
  sort_by_name(facts.storage_capacities);
  sort_by_name(facts.attachments);
  sort_by_name(facts.other_slices);
  sort_by_name(facts.claim_templates);
  sort_by_name(facts.daemon_sets);
  sort_by_name(facts.priority_classes);
  sort_by_name(facts.runtime_classes);
  sort_by_name(facts.quotas);
  sort_by_name(facts.limit_ranges);
  sort_by_name(facts.workloads);
  sort_by_name(facts.local_queues);
  sort_by_name(facts.cluster_queues);
  sort_by_name(facts.cohorts);
  sort_by_name(facts.resource_flavors);
  std::sort(facts.leases.begin(), facts.leases.end());
  std::stable_sort(facts.events.begin(), facts.events.end(), [](const Event& a, const Event& b) {
    return std::tie(a.last, a.first, a.ns, a.object, a.reason) <
           std::tie(b.last, b.first, b.ns, b.object, b.reason);
  });
}

}  // namespace gpu::decode
