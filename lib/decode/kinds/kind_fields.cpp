#include "decode/kinds/kind_fields.hpp"

#include <utility>

#include "decode/kinds/whitelist.hpp"

namespace gpu::decode {
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

/// `spec.resourceGroups` of a ClusterQueue or a Cohort.
void add_quotas(Field& root) {
  add(at(root, "spec.resourceGroups.flavors"),
      {{"name", Meaning::flavor},
       {"resources.name", Meaning::resource},
       {"resources.nominalQuota|resources.borrowingLimit|resources.lendingLimit",
        Meaning::number}});
}

/// What a ClusterQueue or a LocalQueue counts of itself.
void add_queue_status(Field& root) {
  for (const std::string_view use : {"flavorsReservation", "flavorsUsage", "flavorUsage"})
    add(at(at(root, "status"), use), {{"name", Meaning::flavor},
                                      {"resources.name", Meaning::resource},
                                      {"resources.total|resources.borrowed", Meaning::number}});
  add(at(root, "status"),
      {{"pendingWorkloads|reservingWorkloads|admittedWorkloads", Meaning::number}});
}

}  // namespace

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

Field cluster_policy_fields() {
  Field root = fields_with({{"status.state", Meaning::word}, {"status.namespace", Meaning::ns}});
  for (const std::string_view part : {"driver", "toolkit", "devicePlugin", "dcgmExporter", "gfd",
                                      "migManager", "nodeStatusExporter", "validator"})
    at(root, "spec." + std::string(part) + ".enabled").meaning = Meaning::number;
  return with_conditions(std::move(root));
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
  Field root =
      fields_with({{"spec.queueName|status.admission.clusterQueue", Meaning::queue},
                   {"spec.active|spec.priority|spec.podSets.count", Meaning::number},
                   {"status.admissionChecks.name", Meaning::queue},
                   {"status.admissionChecks.state", Meaning::word},
                   {"status.admissionChecks.message", Meaning::message},
                   {"spec.podSets.name|status.reclaimablePods.name|"
                    "status.admission.podSetAssignments.name",
                    Meaning::container},
                   {"status.reclaimablePods.count|"
                    "status.admission.podSetAssignments.count",
                    Meaning::number},
                   {"status.admission.podSetAssignments.flavors", Meaning::flavors},
                   {"status.admission.podSetAssignments.resourceUsage", Meaning::resources}});
  add_pod_spec(at(root, "spec.podSets.template.spec"));
  return with_conditions(std::move(root));
}

Field local_queue_fields() {
  Field root =
      fields_with({{"spec.clusterQueue", Meaning::queue}, {"spec.stopPolicy", Meaning::word}});
  add_queue_status(root);
  return with_conditions(std::move(root));
}

Field cluster_queue_fields() {
  Field root = fields_with(
      {{"spec.cohort|spec.cohortName", Meaning::queue},
       {"spec.queueingStrategy|spec.stopPolicy|spec.flavorFungibility.whenCanBorrow",
        Meaning::word},
       {"spec.admissionChecks|spec.admissionChecksStrategy.admissionChecks.name", Meaning::queue}});
  add_queue_status(root);
  add_label_selector(at(root, "spec.namespaceSelector"));
  add_quotas(root);
  return with_conditions(std::move(root));
}

Field cohort_fields() {
  Field root = fields_with({{"spec.parent|spec.parentName", Meaning::queue}});
  add_quotas(root);
  return root;
}

Field kai_queue_fields() {
  return fields_with(
      {{"spec.displayName|spec.parentQueue", Meaning::queue},
       {"spec.resources.gpu.quota|spec.resources.gpu.limit|spec.resources.cpu.quota|"
        "spec.resources.cpu.limit|spec.resources.memory.quota|spec.resources.memory.limit",
        Meaning::number},
       {"status.allocated|status.allocatedNonPreemptible", Meaning::resources}});
}

Field volcano_queue_fields() {
  return fields_with({{"spec.parent", Meaning::queue},
                      {"spec.capability|spec.deserved|spec.guarantee.resource|status.allocated",
                       Meaning::resources},
                      {"status.state", Meaning::word},
                      {"status.pending|status.inqueue|status.running", Meaning::number}});
}

Field volcano_pod_group_fields() {
  return with_conditions(fields_with({{"spec.queue", Meaning::queue},
                                      {"spec.minMember", Meaning::number},
                                      {"spec.minResources", Meaning::resources},
                                      {"status.phase", Meaning::word}}));
}

Field resource_flavor_fields() {
  return fields_with({{"spec.nodeLabels", Meaning::labels},
                      {"spec.nodeTaints|spec.tolerations", Meaning::taints},
                      {"spec.topologyName", Meaning::queue}});
}

Field namespace_fields() { return fields_with({{"status.phase", Meaning::word}}); }

Field resource_quota_fields() {
  return fields_with({{"spec.hard|status.used", Meaning::quotas},
                      {"spec.scopes|spec.scopeSelector.matchExpressions.scopeName|"
                       "spec.scopeSelector.matchExpressions.operator",
                       Meaning::word},
                      {"spec.scopeSelector.matchExpressions.values", Meaning::priority_class}});
}

Field limit_range_fields() {
  return fields_with({{"spec.limits.type", Meaning::word},
                      {"spec.limits.max|spec.limits.min|spec.limits.default|"
                       "spec.limits.defaultRequest|spec.limits.maxLimitRequestRatio",
                       Meaning::resources}});
}

Field storage_class_fields() {
  return fields_with({{"provisioner", Meaning::driver},
                      {"volumeBindingMode", Meaning::word},
                      {"allowedTopologies.matchLabelExpressions", Meaning::requirements}});
}

Field csi_node_fields() {
  return fields_with({{"spec.drivers.name", Meaning::driver},
                      {"spec.drivers.allocatable.count", Meaning::number}});
}

Field csi_driver_fields() {
  return fields_with(
      {{"spec.storageCapacity|spec.preventPodSchedulingIfMissing", Meaning::number}});
}

Field volume_attachment_fields() {
  return fields_with({{"spec.attacher", Meaning::driver},
                      {"spec.nodeName", Meaning::node},
                      {"spec.source.persistentVolumeName", Meaning::persistent_volume}});
}

Field priority_class_fields() {
  return fields_with(
      {{"value|globalDefault", Meaning::number}, {"preemptionPolicy", Meaning::word}});
}

Field disruption_budget_fields() {
  Field root = fields_with({{"status.disruptionsAllowed", Meaning::number}});
  add_label_selector(at(root, "spec.selector"));
  return root;
}

Field runtime_class_fields() {
  return fields_with({{"overhead.podFixed", Meaning::resources},
                      {"scheduling.nodeSelector", Meaning::labels},
                      {"scheduling.tolerations", Meaning::taints}});
}

Field api_group_fields() {
  return fields_with({{"versions.version", Meaning::version},
                      {"versions.resources.responseKind.kind", Meaning::word}});
}

/// Beside what a Job's end and pods tell, what a named workload is explained by.
Field job_fields() {
  Field root =
      fields_with({{"metadata.generation|spec.suspend|spec.parallelism|spec.completions|"
                    "spec.backoffLimit|spec.activeDeadlineSeconds|spec.ttlSecondsAfterFinished|"
                    "status.startTime|status.completionTime|status.active|status.succeeded|"
                    "status.failed",
                    Meaning::number},
                   {"spec.podFailurePolicy.rules.action", Meaning::word},
                   {"status.uncountedTerminatedPods.succeeded|"
                    "status.uncountedTerminatedPods.failed",
                    Meaning::uid}});
  add_metadata(at(root, "spec.template"));
  add_pod_spec(at(root, "spec.template.spec"));
  return with_conditions(std::move(root));
}

Field karpenter_node_pool_fields() {
  Field root = fields_with({{"spec.template.spec.nodeClassRef.group", Meaning::word},
                            {"spec.template.spec.requirements", Meaning::requirements},
                            {"spec.template.spec.taints", Meaning::taints}});
  add_metadata(at(root, "spec.template"));
  return root;
}

Field lease_fields() { return fields_with({}); }

}  // namespace gpu::decode
