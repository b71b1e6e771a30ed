#include "input/snapshot/trim_scheduling.hpp"

#include <array>
#include <map>
#include <string>

#include "input/snapshot/trim_build.hpp"

namespace gpu::input {
namespace {

/// Metadata, and `lines`.
Field fields_with(Lines lines) {
  Field root;
  add_metadata(root);
  add(root, lines);
  return root;
}

Field with_conditions(Field root) {
  add_conditions(at(root, "status.conditions"));
  return root;
}

Field volume_claim_fields() {
  Field root =
      fields_with({{"spec.volumeName", Meaning::persistent_volume},
                   {"spec.storageClassName|spec.volumeAttributesClassName", Meaning::storage_class},
                   {"spec.accessModes|spec.volumeMode|status.phase", Meaning::word},
                   {"spec.resources.requests", Meaning::resources}});
  add_label_selector(at(root, "spec.selector"));
  return root;
}

Field persistent_volume_fields() {
  Field root =
      fields_with({{"spec.storageClassName|spec.volumeAttributesClassName", Meaning::storage_class},
                   {"spec.accessModes|spec.volumeMode|status.phase", Meaning::word},
                   {"spec.capacity", Meaning::resources},
                   {"spec.claimRef.namespace", Meaning::ns},
                   {"spec.claimRef.name", Meaning::volume_claim},
                   {"spec.claimRef.uid", Meaning::uid},
                   {"spec.csi.driver", Meaning::driver},
                   {"spec.csi.volumeHandle", Meaning::disk},
                   {"spec.awsElasticBlockStore.volumeID|spec.azureDisk.diskURI|"
                    "spec.cinder.volumeID|spec.gcePersistentDisk.pdName|"
                    "spec.portworxVolume.volumeID",
                    Meaning::disk},
                   {"spec.azureDisk.kind", Meaning::word},
                   {"spec.azureFile|spec.cephfs|spec.fc|spec.flexVolume|spec.flocker|"
                    "spec.glusterfs|spec.hostPath|spec.iscsi|spec.local|spec.nfs|"
                    "spec.photonPersistentDisk|spec.quobyte|spec.rbd|spec.scaleIO|"
                    "spec.storageos|spec.vsphereVolume",
                    Meaning::presence}});
  add_node_selector(at(root, "spec.nodeAffinity.required"));
  return root;
}

Field storage_capacity_fields() {
  Field root = fields_with({{"storageClassName", Meaning::storage_class},
                            {"capacity|maximumVolumeSize", Meaning::number}});
  add_label_selector(at(root, "nodeTopology"));
  return root;
}

Field claim_template_fields() {
  Field root = fields_with({});
  add_claim_spec(at(root, "spec.spec.devices"));
  return root;
}

Field daemon_set_fields() {
  Field root = fields_with({{"status.desiredNumberScheduled|status.numberReady", Meaning::number}});
  add_metadata(at(root, "spec.template"));
  add_pod_spec(at(root, "spec.template.spec"));
  return root;
}

/// Of both APIs for events.
Field event_fields() {
  return fields_with({{"involvedObject|regarding", Meaning::reference},
                      {"reason|type", Meaning::word},
                      {"message|note", Meaning::message},
                      {"reportingComponent|reportingController|source.component|"
                       "deprecatedSource.component",
                       Meaning::scheduler},
                      {"firstTimestamp|deprecatedFirstTimestamp|lastTimestamp|"
                       "deprecatedLastTimestamp|eventTime|count|deprecatedCount|series.count|"
                       "series.lastObservedTime",
                       Meaning::number}});
}

Field workload_fields() {
  Field root = fields_with({{"spec.queueName|status.admission.clusterQueue", Meaning::queue},
                            {"spec.active|spec.priority|spec.podSets.count", Meaning::number},
                            {"status.admissionChecks.name", Meaning::queue},
                            {"status.admissionChecks.state", Meaning::word},
                            {"status.admissionChecks.message", Meaning::message},
                            {"spec.podSets.name", Meaning::container}});
  add_pod_spec(at(root, "spec.podSets.template.spec"));
  return with_conditions(std::move(root));
}

Field local_queue_fields() {
  return with_conditions(
      fields_with({{"spec.clusterQueue", Meaning::queue}, {"spec.stopPolicy", Meaning::word}}));
}

/// `spec.resourceGroups` of a ClusterQueue or a Cohort.
void add_quotas(Field& root) {
  add(at(root, "spec.resourceGroups.flavors"),
      {{"name", Meaning::flavor},
       {"resources.name", Meaning::resource},
       {"resources.nominalQuota|resources.borrowingLimit|resources.lendingLimit",
        Meaning::number}});
}

Field cluster_queue_fields() {
  Field root = fields_with(
      {{"spec.cohort|spec.cohortName", Meaning::queue},
       {"spec.queueingStrategy|spec.stopPolicy|spec.flavorFungibility.whenCanBorrow",
        Meaning::word},
       {"spec.admissionChecks|spec.admissionChecksStrategy.admissionChecks.name", Meaning::queue},
       {"status.flavorsReservation.name", Meaning::flavor},
       {"status.flavorsReservation.resources.name", Meaning::resource},
       {"status.flavorsReservation.resources.total", Meaning::number}});
  add_label_selector(at(root, "spec.namespaceSelector"));
  add_quotas(root);
  return with_conditions(std::move(root));
}

Field cohort_fields() {
  Field root = fields_with({{"spec.parent|spec.parentName", Meaning::queue}});
  add_quotas(root);
  return root;
}

Field resource_flavor_fields() {
  return fields_with({{"spec.nodeLabels", Meaning::labels},
                      {"spec.nodeTaints|spec.tolerations", Meaning::taints},
                      {"spec.topologyName", Meaning::queue}});
}

using Kinds = std::map<std::string, Field, std::less<>>;

Kinds kinds() {
  return {
      {"/Namespace", fields_with({{"status.phase", Meaning::word}})},
      {"/PersistentVolumeClaim", volume_claim_fields()},
      {"/PersistentVolume", persistent_volume_fields()},
      {"/ResourceQuota",
       fields_with({{"spec.hard|status.used", Meaning::quotas},
                    {"spec.scopes|spec.scopeSelector.matchExpressions.scopeName|"
                     "spec.scopeSelector.matchExpressions.operator",
                     Meaning::word},
                    {"spec.scopeSelector.matchExpressions.values", Meaning::priority_class}})},
      {"/LimitRange", fields_with({{"spec.limits.type", Meaning::word},
                                   {"spec.limits.max|spec.limits.min|spec.limits.default|"
                                    "spec.limits.defaultRequest|spec.limits.maxLimitRequestRatio",
                                    Meaning::resources}})},
      {"/Event", event_fields()},
      {"events.k8s.io/Event", event_fields()},
      {"storage.k8s.io/StorageClass",
       fields_with({{"provisioner", Meaning::driver},
                    {"volumeBindingMode", Meaning::word},
                    {"allowedTopologies.matchLabelExpressions", Meaning::requirements}})},
      {"storage.k8s.io/CSINode",
       fields_with({{"spec.drivers.name", Meaning::driver},
                    {"spec.drivers.allocatable.count", Meaning::number}})},
      {"storage.k8s.io/CSIDriver",
       fields_with({{"spec.storageCapacity|spec.preventPodSchedulingIfMissing", Meaning::number}})},
      {"storage.k8s.io/CSIStorageCapacity", storage_capacity_fields()},
      {"storage.k8s.io/VolumeAttachment",
       fields_with({{"spec.attacher", Meaning::driver},
                    {"spec.nodeName", Meaning::node},
                    {"spec.source.persistentVolumeName", Meaning::persistent_volume}})},
      {"resource.k8s.io/ResourceClaimTemplate", claim_template_fields()},
      {"apps/DaemonSet", daemon_set_fields()},
      {"scheduling.k8s.io/PriorityClass", fields_with({{"value|globalDefault", Meaning::number},
                                                       {"preemptionPolicy", Meaning::word}})},
      {"node.k8s.io/RuntimeClass", fields_with({{"overhead.podFixed", Meaning::resources},
                                                {"scheduling.nodeSelector", Meaning::labels},
                                                {"scheduling.tolerations", Meaning::taints}})},
      {"coordination.k8s.io/Lease", fields_with({})},
      {"kueue.x-k8s.io/Workload", workload_fields()},
      {"kueue.x-k8s.io/LocalQueue", local_queue_fields()},
      {"kueue.x-k8s.io/ClusterQueue", cluster_queue_fields()},
      {"kueue.x-k8s.io/Cohort", cohort_fields()},
      {"kueue.x-k8s.io/ResourceFlavor", resource_flavor_fields()},
  };
}

}  // namespace

const Field* scheduling_fields(std::string_view kind, std::string_view api_version) {
  static const Kinds kKinds = kinds();
  const std::size_t slash = api_version.find('/');
  std::string key(slash == std::string_view::npos ? std::string_view{}
                                                  : api_version.substr(0, slash));
  key.append("/").append(kind);
  const auto found = kKinds.find(key);
  return found == kKinds.end() ? nullptr : &found->second;
}

}  // namespace gpu::input
