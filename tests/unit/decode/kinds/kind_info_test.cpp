#include "decode/kinds/kind_info.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "decode/error_of.hpp"
#include "decode/wire/json_item.hpp"
#include "input/snapshot/trim.hpp"

namespace gpu::decode::kinds_kind_info_test {

using namespace gpu::input;
namespace {

using nlohmann::json;

SchedulingFacts from_json(std::string_view text) {
  SchedulingFacts facts;
  const Taken taken = take_object(json_item(text), facts);
  CHECK(taken == Taken::yes);
  return facts;
}

/// What is read of an object is read of what a snapshot keeps of it, too.
SchedulingFacts from_kept(std::string_view text) {
  const json object = json::parse(text);
  SchedulingFacts facts;
  take_object(
      *trimmed(object, object["apiVersion"].get<std::string>(), object["kind"].get<std::string>()),
      facts);
  return facts;
}

Quantity quantity(std::string_view text) { return *Quantity::parse(text); }

constexpr std::string_view kClaim = R"({
  "apiVersion": "v1", "kind": "PersistentVolumeClaim",
  "metadata": {"namespace": "ml", "name": "data", "uid": "u-1",
    "deletionTimestamp": "2026-11-01T10:00:00Z",
    "ownerReferences": [{"kind": "Pod", "name": "p", "uid": "p-1", "controller": true}],
    "annotations": {"pv.kubernetes.io/bind-completed": "yes", "other": "x",
      "volume.kubernetes.io/selected-node": "node-a"}},
  "spec": {"volumeName": "pv-7", "storageClassName": "", "accessModes": ["ReadWriteOnce"],
    "volumeMode": "Block", "resources": {"requests": {"storage": "10Gi"}},
    "selector": {"matchLabels": {"tier": "fast"}}},
  "status": {"phase": "Bound"}})";

constexpr std::string_view kVolume = R"({
  "apiVersion": "v1", "kind": "PersistentVolume",
  "metadata": {"name": "pv-7", "labels": {"topology.kubernetes.io/zone": "z1"}},
  "spec": {"storageClassName": "fast", "accessModes": ["ReadWriteOnce"], "volumeMode": "Block",
    "capacity": {"storage": "10Gi"}, "nodeAffinity": {"required": {"nodeSelectorTerms": [
      {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["z1"]}]}]}},
    "claimRef": {"namespace": "ml", "name": "data", "uid": "u-1"},
    "csi": {"driver": "csi.example.com", "volumeHandle": "h-1",
            "volumeAttributes": {"secret": "s3cret"}}},
  "status": {"phase": "Bound"}})";

constexpr std::string_view kDaemonSet = R"({
  "apiVersion": "apps/v1", "kind": "DaemonSet",
  "metadata": {"namespace": "gpu-operator", "name": "plugin", "labels": {"app": "plugin"}},
  "spec": {"template": {"metadata": {"name": "ignored", "labels": {"app": "plugin"}},
    "spec": {"nodeSelector": {"gpu": "yes"}, "tolerations": [{"operator": "Exists"}],
      "containers": [{"name": "main", "image": "example/plugin",
                      "env": [{"name": "TOKEN", "value": "s3cret"}]}]}}},
  "status": {"desiredNumberScheduled": 4, "numberReady": 3}})";

constexpr std::string_view kWorkload = R"({
  "apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Workload",
  "metadata": {"namespace": "ml", "name": "job-train", "uid": "w-1",
    "creationTimestamp": "2026-11-01T10:00:00Z",
    "ownerReferences": [{"apiVersion": "batch/v1", "kind": "Job", "name": "train", "uid": "j-1",
                         "controller": true}]},
  "spec": {"queueName": "main", "active": false, "priority": 7, "podSets": [
    {"name": "leader", "count": 1}, {"name": "main", "count": 4, "template": {"spec": {
      "nodeSelector": {"gpu": "h100"}, "tolerations": [{"key": "gpu", "operator": "Exists"}],
      "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {
        "nodeSelectorTerms": [{"matchExpressions": [{"key": "zone", "operator": "Exists"}]}]}}},
      "containers": [{"resources": {"requests": {"nvidia.com/gpu": "2"}}},
                     {"resources": {"requests": {"nvidia.com/gpu": "1"}}}]}}}]},
  "status": {"admission": {"clusterQueue": "cq"}, "admissionChecks": [
      {"name": "spend", "state": "Retry", "message": "no money", "retryCount": 2}], "conditions": [
    {"type": "QuotaReserved", "status": "False", "reason": "Pending", "message": "no quota"}]}})";

constexpr std::string_view kClusterQueue = R"({
  "apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue", "metadata": {"name": "cq"},
  "spec": {"cohortName": "all", "queueingStrategy": "StrictFIFO", "stopPolicy": "None",
    "namespaceSelector": {"matchLabels": {"team": "vision"}},
    "flavorFungibility": {"whenCanBorrow": "TryNextFlavor", "whenCanPreempt": "Preempt"},
    "admissionChecksStrategy": {"admissionChecks": [{"name": "dws", "onFlavors": ["h100"]}]},
    "resourceGroups": [{"coveredResources": ["cpu", "nvidia.com/gpu"], "flavors": [
      {"name": "h100", "resources": [{"name": "cpu", "nominalQuota": 9},
        {"name": "nvidia.com/gpu", "nominalQuota": "8", "borrowingLimit": "2",
         "lendingLimit": "3"}]}]}]},
  "status": {"flavorsReservation": [{"name": "h100", "resources": [
    {"name": "nvidia.com/gpu", "total": "6", "borrowed": "0"}]}]}})";

constexpr std::string_view kEvent = R"({
  "apiVersion": "v1", "kind": "Event", "metadata": {"namespace": "ml", "name": "p.17a"},
  "involvedObject": {"apiVersion": "v1", "kind": "Pod", "namespace": "ml", "name": "p",
                     "uid": "p-1"},
  "type": "Warning", "reason": "FailedScheduling", "message": "0/2 nodes are available",
  "source": {"component": "default-scheduler"}, "firstTimestamp": "2026-11-01T10:00:00Z",
  "lastTimestamp": "2026-11-01T11:00:00Z", "count": 7})";

Event event() {
  return {"ml",
          "Warning",
          "FailedScheduling",
          "0/2 nodes are available",
          "Pod",
          "p",
          "p-1",
          "default-scheduler",
          parse_time("2026-11-01T10:00:00Z"),
          parse_time("2026-11-01T11:00:00Z"),
          7};
}

}  // namespace

TEST_CASE("a PersistentVolumeClaim is bound by its annotation and its volume") {
  PersistentVolumeClaim claim{.ns = "ml", .name = "data", .uid = "u-1"};
  claim.deleted = parse_time("2026-11-01T10:00:00Z");
  claim.owner_uid = "p-1";
  claim.phase = "Bound";
  claim.volume = "pv-7";
  claim.is_bound = true;
  claim.storage_class = "";
  claim.access_modes = {"ReadWriteOnce"};
  claim.volume_mode = "Block";
  claim.storage = quantity("10Gi");
  claim.selector = ObjectSelector{{{"tier", "fast"}}, {}};
  claim.selected_node = "node-a";
  CHECK(from_json(kClaim).volume_claims.at(0) == claim);
  CHECK(from_kept(kClaim).volume_claims.at(0) == claim);
  json other = json::parse(kClaim);
  other["spec"].erase("volumeName");
  other["spec"].erase("storageClassName");
  const auto unbound = from_json(other.dump()).volume_claims.at(0);
  CHECK_FALSE(unbound.is_bound);
  CHECK_FALSE(unbound.storage_class);
  other["metadata"]["annotations"] = {{"volume.beta.kubernetes.io/storage-class", "old"}};
  other["spec"]["storageClassName"] = "new";
  CHECK(from_json(other.dump()).volume_claims.at(0).storage_class == "old");
}

TEST_CASE("a PersistentVolume of CSI, and one of old days") {
  PersistentVolume volume{.name = "pv-7", .labels = {{"topology.kubernetes.io/zone", "z1"}}};
  volume.phase = "Bound";
  volume.storage_class = "fast";
  volume.access_modes = {"ReadWriteOnce"};
  volume.volume_mode = "Block";
  volume.storage = quantity("10Gi");
  volume.node_affinity = NodeSelector{{{{"zone", "In", {"z1"}}}, {}}};
  volume.claim_ns = "ml";
  volume.claim_name = "data";
  volume.claim_uid = "u-1";
  volume.csi_driver = "csi.example.com";
  volume.csi_handle = "h-1";
  CHECK(from_json(kVolume).volumes.at(0) == volume);
  CHECK(from_kept(kVolume).volumes.at(0) == volume);
  json old = json::parse(kVolume);
  old["spec"].erase("csi");
  old["spec"]["awsElasticBlockStore"] = {{"volumeID", "vol-1"}};
  CHECK(from_json(old.dump()).volumes.at(0).legacy_driver == "awsElasticBlockStore");
  CHECK(from_kept(old.dump()).volumes.at(0).legacy_driver == "awsElasticBlockStore");
  CHECK(from_kept(old.dump()).volumes.at(0).csi_handle == "vol-1");
  old["spec"].erase("awsElasticBlockStore");
  old["spec"]["azureDisk"] = {{"diskURI", "/disks/d"}, {"kind", "Shared"}};
  CHECK(from_kept(old.dump()).volumes.at(0).legacy_driver == "azureDisk:Shared");
  CHECK(from_kept(old.dump()).volumes.at(0).csi_handle == "/disks/d");
}

TEST_CASE("claims and volumes name a class of attributes") {
  json claim = json::parse(kClaim);
  claim["spec"]["volumeAttributesClassName"] = "gold";
  CHECK(from_kept(claim.dump()).volume_claims.at(0).attributes_class == "gold");
  json volume = json::parse(kVolume);
  volume["spec"]["volumeAttributesClassName"] = "gold";
  CHECK(from_kept(volume.dump()).volumes.at(0).attributes_class == "gold");
}

TEST_CASE("kinds of storage.k8s.io") {
  const auto check = [](std::string_view text, auto list, const auto& expected) {
    INFO(text);
    CHECK((from_json(text).*list).at(0) == expected);
    CHECK((from_kept(text).*list).at(0) == expected);
  };
  check(R"({"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "fast",
          "creationTimestamp": "2026-11-01T10:00:00Z", "annotations":
            {"storageclass.kubernetes.io/is-default-class": "true"}},
          "provisioner": "csi.example.com", "volumeBindingMode": "WaitForFirstConsumer",
          "allowedTopologies": [{"matchLabelExpressions": [{"key": "zone", "values": ["z1"]}]}]})",
        &SchedulingFacts::storage_classes,
        StorageClass{"fast",
                     "csi.example.com",
                     true,
                     true,
                     parse_time("2026-11-01T10:00:00Z"),
                     {{{{"zone", "In", {"z1"}}}, {}}}});
  check(R"({"apiVersion": "storage.k8s.io/v1", "kind": "CSINode", "metadata": {"name": "node-a",
          "annotations": {"storage.alpha.kubernetes.io/migrated-plugins": "kubernetes.io/aws-ebs",
                          "x": "y"}}, "spec": {"drivers": [
          {"name": "csi.example.com", "nodeID": "i-1", "allocatable": {"count": 0}},
          {"name": "other.example.com"}]}})",
        &SchedulingFacts::csi_nodes,
        CsiNode{"node-a",
                {{"storage.alpha.kubernetes.io/migrated-plugins", "kubernetes.io/aws-ebs"}},
                {{"csi.example.com", 0}, {"other.example.com", std::nullopt}}});
  check(R"({"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": {"name": "d"},
          "spec": {"storageCapacity": true, "preventPodSchedulingIfMissing": true}})",
        &SchedulingFacts::csi_drivers, CsiDriver{"d", true, true});
  check(R"({"apiVersion": "storage.k8s.io/v1", "kind": "CSIStorageCapacity", "metadata": {
          "namespace": "csi", "name": "c"}, "storageClassName": "fast", "capacity": "1Ti",
          "nodeTopology": {"matchLabels": {"zone": "z1"}}})",
        &SchedulingFacts::storage_capacities,
        StorageCapacity{"csi", "c", "fast", ObjectSelector{{{"zone", "z1"}}, {}}, quantity("1Ti"),
                        std::nullopt});
  check(R"({"apiVersion": "storage.k8s.io/v1", "kind": "VolumeAttachment", "metadata": {
          "name": "a"}, "spec": {"attacher": "csi.example.com", "nodeName": "node-a",
          "source": {"persistentVolumeName": "pv-7"}}})",
        &SchedulingFacts::attachments, VolumeAttachment{"a", "csi.example.com", "node-a", "pv-7"});
}

TEST_CASE("a DaemonSet holds the pod that it makes") {
  const DaemonSet set = from_json(kDaemonSet).daemon_sets.at(0);
  CHECK(set.ns == "gpu-operator");
  CHECK(set.labels == StringMap{{"app", "plugin"}});
  CHECK(set.pod.ns == "gpu-operator");
  CHECK(set.pod.name.empty());
  CHECK(set.pod.labels == StringMap{{"app", "plugin"}});
  CHECK(set.pod.node_selector == StringMap{{"gpu", "yes"}});
  CHECK(set.pod.tolerations == std::vector<Toleration>{{.op = "Exists"}});
  CHECK(set.desired == 4);
  CHECK(set.ready == 3);
  CHECK((from_kept(kDaemonSet).daemon_sets.at(0) == set));
}

TEST_CASE("classes, quotas, namespaces and leases") {
  CHECK(from_json(R"({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "ml",
            "labels": {"team": "red"}}})")
            .namespaces.at(0) == Namespace{"ml", {{"team", "red"}}});
  CHECK(from_kept(R"({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "ml",
            "deletionTimestamp": "2026-11-01T00:00:00Z"}})")
            .namespaces.at(0)
            .is_terminating);
  CHECK(from_kept(R"({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "ml"},
            "status": {"phase": "Terminating"}})")
            .namespaces.at(0)
            .is_terminating);
  CHECK_FALSE(from_kept(R"({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "ml"},
            "status": {"phase": "Active"}})")
                  .namespaces.at(0)
                  .is_terminating);
  CHECK(from_kept(R"({"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata":
            {"name": "high"}, "value": -7, "globalDefault": true, "preemptionPolicy": "Never"})")
            .priority_classes.at(0) == PriorityClass{"high", -7, true, "Never"});
  CHECK(
      from_kept(R"({"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata":
            {"name": "nvidia"}, "handler": "nvidia", "overhead": {"podFixed": {"cpu": "250m"}},
            "scheduling": {"nodeSelector": {"gpu": "yes"}, "tolerations": [{"key": "k"}]}})")
          .runtime_classes.at(0) ==
      RuntimeClass{"nvidia", {{"cpu", Quantity::of_milli(250)}}, {{"gpu", "yes"}}, {{.key = "k"}}});
  CHECK(from_kept(R"({"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"namespace": "ml",
            "name": "gpus"}, "spec": {"hard": {"requests.nvidia.com/gpu": "8"}},
            "status": {"used": {"requests.nvidia.com/gpu": "6"}}})")
            .quotas.at(0) == ResourceQuota{"ml",
                                           "gpus",
                                           {},
                                           {{"requests.nvidia.com/gpu", Quantity::of(8)}},
                                           {{"requests.nvidia.com/gpu", Quantity::of(6)}}});
  const ResourceQuota scoped =
      from_kept(R"({"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"namespace": "ml",
            "name": "high"}, "spec": {"hard": {"pods": "8"}, "scopes": ["NotTerminating"],
            "scopeSelector": {"matchExpressions": [{"scopeName": "PriorityClass",
            "operator": "In", "values": ["high", "top"]}]}}, "status": {"used": {"pods": "6"}}})")
          .quotas.at(0);
  CHECK(scoped ==
        ResourceQuota{"ml",
                      "high",
                      {{"NotTerminating", "Exists", {}}, {"PriorityClass", "In", {"high", "top"}}},
                      {{"pods", Quantity::of(8)}},
                      {{"pods", Quantity::of(6)}}});
  CHECK(from_kept(R"({"apiVersion": "v1", "kind": "LimitRange", "metadata": {"namespace": "ml",
            "name": "bounds"}, "spec": {"limits": [{"type": "Container", "max": {"cpu": "2"},
            "min": {"cpu": "1"}, "default": {"memory": "1Gi"}, "defaultRequest": {"cpu": "500m"},
            "maxLimitRequestRatio": {"cpu": "1.5"}}, {"type": "Pod"}]}})")
            .limit_ranges.at(0) == LimitRange{"ml",
                                              "bounds",
                                              {{"Container",
                                                {{"cpu", Quantity::of(2)}},
                                                {{"cpu", Quantity::of(1)}},
                                                {{"memory", Quantity::of(std::int64_t{1} << 30)}},
                                                {{"cpu", Quantity::of_milli(500)}},
                                                {{"cpu", Quantity::of_milli(1500)}}},
                                               {.type = "Pod"}}});
  json lease = {{"apiVersion", "coordination.k8s.io/v1"},
                {"kind", "Lease"},
                {"metadata", {{"namespace", "kube-system"}, {"name", "kube-scheduler"}}}};
  CHECK(from_kept(lease.dump()).leases == std::vector<std::string>{"kube-scheduler"});
  lease["metadata"]["namespace"] = "kube-node-lease";
  CHECK(from_json(lease.dump()).leases.empty());
}

TEST_CASE("an event says the same in both APIs") {
  CHECK(from_json(kEvent).events.at(0) == event());
  CHECK(from_kept(kEvent).events.at(0) == event());
  const std::string_view newer = R"({
    "apiVersion": "events.k8s.io/v1", "kind": "Event", "metadata": {"namespace": "ml"},
    "regarding": {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "p-1"},
    "type": "Warning", "reason": "FailedScheduling", "note": "0/2 nodes are available",
    "reportingController": "default-scheduler", "eventTime": "2026-11-01T10:00:00.123456Z",
    "series": {"count": 7, "lastObservedTime": "2026-11-01T11:00:00.000000Z"},
    "deprecatedSource": {}, "deprecatedFirstTimestamp": null, "deprecatedLastTimestamp": null})";
  CHECK(from_json(newer).events.at(0) == event());
  CHECK(from_kept(newer).events.at(0) == event());
  const Event once =
      from_json(R"({"apiVersion": "v1", "kind": "Event", "source": {}, "firstTimestamp": null,
          "lastTimestamp": null, "eventTime": "2026-11-01T10:00:00.5Z", "count": 0,
          "reportingComponent": "karpenter"})")
          .events.at(0);
  CHECK(once.reporter == "karpenter");
  CHECK(once.first == parse_time("2026-11-01T10:00:00Z"));
  CHECK(once.last == once.first);
  CHECK(once.count == 1);
}

TEST_CASE("a workload of Kueue, and what of it a snapshot keeps") {
  QueuedWorkload workload{.ns = "ml", .name = "job-train", .uid = "w-1"};
  workload.created = parse_time("2026-11-01T10:00:00Z");
  workload.owners = {{"Job", "train", "j-1", "batch/v1", true}};
  workload.queue = "main";
  workload.is_active = false;
  workload.priority = 7;
  workload.cluster_queue = "cq";
  workload.pod_sets = {{.name = "leader", .count = 1},
                       {.name = "main",
                        .count = 4,
                        .requests = {{"nvidia.com/gpu", Quantity::of(3)}},
                        .node_selector = {{"gpu", "h100"}},
                        .node_affinity = NodeSelector{{.expressions = {{"zone", "Exists", {}}}}},
                        .tolerations = {{.key = "gpu", .op = "Exists"}}}};
  workload.admission_checks = {{"spend", "Retry", "no money"}};
  workload.conditions = {{"QuotaReserved", "False", "Pending", "no quota", std::nullopt}};
  CHECK(from_json(kWorkload).workloads.at(0) == workload);
  CHECK(from_kept(kWorkload).workloads.at(0) == workload);
  CHECK(from_json(R"({"apiVersion": "kueue.x-k8s.io/v1beta1", "kind": "Workload"})")
            .workloads.at(0)
            .is_active);
}

TEST_CASE("queues of Kueue in both versions") {
  ClusterQueue queue{
      .name = "cq", .cohort = "all", .strategy = "StrictFIFO", .stop_policy = "None"};
  queue.namespace_selector = ObjectSelector{.labels = {{"team", "vision"}}, .expressions = {}};
  queue.tries_next_before_borrowing = true;
  queue.admission_checks = {"dws"};
  queue.quotas = {{.flavor = "h100", .resource = "cpu", .nominal = Quantity::of(9)},
                  {"h100", "nvidia.com/gpu", Quantity::of(8), Quantity::of(2), Quantity::of(3),
                   Quantity::of(6)}};
  queue.status.reserved = {{"h100", "nvidia.com/gpu", Quantity::of(6), Quantity{}}};
  CHECK(from_json(kClusterQueue).cluster_queues.at(0) == queue);
  CHECK(from_kept(kClusterQueue).cluster_queues.at(0) == queue);
  json older = json::parse(kClusterQueue);
  older["apiVersion"] = "kueue.x-k8s.io/v1beta1";
  older["spec"].erase("cohortName");
  older["spec"]["cohort"] = "all";
  older["spec"].erase("admissionChecksStrategy");
  older["spec"]["admissionChecks"] = {"dws"};
  CHECK(from_json(older.dump()).cluster_queues.at(0) == queue);
  CHECK(from_kept(R"({"apiVersion": "kueue.x-k8s.io/v1beta1", "kind": "LocalQueue", "metadata":
            {"namespace": "ml", "name": "main"}, "spec": {"clusterQueue": "cq",
            "stopPolicy": "Hold"}, "status": {"conditions": [{"type": "Active",
            "status": "False", "reason": "Stopped"}]}})")
            .local_queues.at(0) ==
        LocalQueue{.ns = "ml",
                   .name = "main",
                   .cluster_queue = "cq",
                   .stop_policy = "Hold",
                   .conditions = {{"Active", "False", "Stopped", "", std::nullopt}}});
}

TEST_CASE("a cohort of Kueue by all of its versions, and a flavor") {
  json cohort = json::parse(R"({"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Cohort",
      "metadata": {"name": "team"}, "spec": {"parentName": "org", "resourceGroups": [{
        "coveredResources": ["nvidia.com/gpu"], "flavors": [{"name": "h100", "resources": [
          {"name": "nvidia.com/gpu", "nominalQuota": 4, "lendingLimit": 1}]}]}]}})");
  const Cohort expected{"team",
                        "org",
                        {{.flavor = "h100",
                          .resource = "nvidia.com/gpu",
                          .nominal = Quantity::of(4),
                          .lending_limit = Quantity::of(1)}}};
  CHECK(from_json(cohort.dump()).cohorts.at(0) == expected);
  CHECK(from_kept(cohort.dump()).cohorts.at(0) == expected);
  cohort["apiVersion"] = "kueue.x-k8s.io/v1alpha1";
  cohort["spec"].erase("parentName");
  cohort["spec"]["parent"] = "org";
  CHECK(from_kept(cohort.dump()).cohorts.at(0) == expected);
  const std::string_view flavor = R"({"apiVersion": "kueue.x-k8s.io/v1beta2",
      "kind": "ResourceFlavor", "metadata": {"name": "spot"}, "spec": {
        "nodeLabels": {"kind": "spot"}, "topologyName": "racks",
        "nodeTaints": [{"key": "spot", "value": "true", "effect": "NoSchedule"}],
        "tolerations": [{"key": "spot", "operator": "Exists"}]}})";
  CHECK(from_json(flavor).resource_flavors.at(0) ==
        ResourceFlavor{.name = "spot",
                       .node_labels = {{"kind", "spot"}},
                       .node_taints = {{.key = "spot", .value = "true", .effect = "NoSchedule"}},
                       .tolerations = {{.key = "spot", .op = "Exists"}},
                       .topology = "racks"});
  CHECK(from_kept(flavor).resource_flavors.at(0) == from_json(flavor).resource_flavors.at(0));
}

TEST_CASE("a Job tells how many pods it has had, and when") {
  constexpr std::string_view job = R"({"apiVersion": "batch/v1", "kind": "Job",
    "metadata": {"namespace": "ml", "name": "train", "uid": "j-1", "generation": 3,
      "creationTimestamp": "2026-11-01T10:00:00Z",
      "ownerReferences": [{"kind": "JobSet", "name": "set", "uid": "s-1", "controller": true,
                           "apiVersion": "jobset.x-k8s.io/v1alpha2"}]},
    "spec": {"parallelism": 4, "completions": 8, "backoffLimit": 3, "activeDeadlineSeconds": 7200,
      "ttlSecondsAfterFinished": 60, "suspend": true,
      "podFailurePolicy": {"rules": [{"action": "FailJob"}, {"action": "Ignore"}]},
      "template": {"spec": {
        "initContainers": [{"name": "fetch", "resources": {"limits": {"nvidia.com/gpu": "2"}}}],
        "containers": [{"name": "main", "env": [{"name": "KEY", "value": "s3cret"}],
                        "resources": {"limits": {"nvidia.com/gpu": "1"}}}]}}},
    "status": {"startTime": "2026-11-01T10:00:01Z", "active": 1, "succeeded": 5, "failed": 2,
      "uncountedTerminatedPods": {"succeeded": ["p-1"], "failed": ["p-2", "p-3"]},
      "conditions": [
        {"type": "Suspended", "status": "False", "lastTransitionTime": "2026-11-01T10:00:01Z"},
        {"type": "Complete", "status": "False", "lastTransitionTime": "2026-11-01T10:00:02Z"},
        {"type": "Failed", "status": "True", "reason": "DeadlineExceeded",
         "lastTransitionTime": "2026-11-01T12:00:01Z"}]}})";
  const Job read = from_json(job).jobs.at(0);
  CHECK(read == Job{.ns = "ml",
                    .name = "train",
                    .uid = "j-1",
                    .owners = {{"JobSet", "set", "s-1", "jobset.x-k8s.io/v1alpha2", true}},
                    .created = parse_time("2026-11-01T10:00:00Z"),
                    .started = parse_time("2026-11-01T10:00:01Z"),
                    .completed = parse_time("2026-11-01T12:00:01Z"),
                    .has_failed = true,
                    .is_suspended = true,
                    .was_suspended = true,
                    .generation = 3,
                    .active = 1,
                    .succeeded = 5,
                    .failed = 2,
                    .uncounted = 3,
                    .ignores_failures = true,
                    .parallelism = 4,
                    .completions = 8,
                    .backoff_limit = 3,
                    .deadline = std::chrono::hours(2),
                    .ttl = std::chrono::seconds(60),
                    .requests = {{"nvidia.com/gpu", Quantity::of(2)}}});
  CHECK(from_kept(job).jobs.at(0) == read);
}

TEST_CASE("of a Job that says little, what the API server would set is known") {
  const auto job = [](std::string_view rest) {
    return from_json(R"({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "j"})" +
                     std::string(rest) + "}")
        .jobs;
  };
  CHECK(job(R"(, "spec": {}, "status": null)").at(0) == Job{.name = "j"});
  CHECK(job(R"(, "spec": {}, "status": {"active": -1})").at(0).active == 0);
  const Job done = job(R"(, "spec": {"template": {}}, "status": {
      "completionTime": "2026-11-01T11:00:00Z", "conditions": [{"type": "Complete",
      "status": "True", "lastTransitionTime": "2026-11-01T11:00:09Z"}]})")
                       .at(0);
  CHECK(done.completed == parse_time("2026-11-01T11:00:00Z"));
  CHECK_FALSE(done.has_failed);
  CHECK(job("").empty());  // metadata alone, of an owner walk
}

TEST_CASE("kinds are told apart by their group") {
  SchedulingFacts facts;
  for (const char* const version : {"v1", "core.oam.dev/v1", "batch/v1"})
    CHECK(take_object({{"apiVersion", version}, {"kind", "Workload"}}, facts) == Taken::no);
  CHECK(take_object(json::array(), facts) == Taken::no);
  CHECK(take_object({{"kind", 7}}, facts) == Taken::no);
  CHECK(facts.workloads.empty());
  CHECK(find_kind("Workload", "kueue.x-k8s.io/v1beta9") == &info_of(ObjectKind::workload));
  CHECK(find_kind("Event", "events.k8s.io/v1") == &info_of(ObjectKind::event));
}

TEST_CASE("of ConfigMaps that of Kueue is read, with what Kueue takes where it says nothing") {
  const auto config_with = [](const std::string& name, const std::string& yaml) {
    SchedulingFacts facts;
    take_object({{"apiVersion", "v1"},
                 {"kind", "ConfigMap"},
                 {"metadata", {{"namespace", "kueue-system"}, {"name", name}}},
                 {"data", {{"controller_manager_config.yaml", yaml}}}},
                facts);
    return facts.queue_configs;
  };
  CHECK(config_with("other", "a: [").empty());
  const auto chosen = config_with("kueue-manager-config",
                                  "managedJobsNamespaceSelector:\n  matchLabels: {team: ml}\n");
  REQUIRE(chosen.size() == 1);
  CHECK(*chosen[0].managed_namespaces.labels.find("team") == "ml");
  for (const char* const silent : {"", "{}", "namespace: kueue-system\n"}) {
    const ObjectSelector usual =
        config_with("kueue-manager-config", silent).at(0).managed_namespaces;
    CHECK(usual.expressions.at(0).op == "NotIn");
    CHECK(usual.expressions.at(0).values ==
          std::vector<std::string>{"kube-system", "kueue-system"});
  }
  CHECK(error_of([&] {
          config_with("kueue-manager-config", "a: [");
        }).starts_with("ConfigMap kueue-manager-config: line 1"));
}

TEST_CASE("of a NodePool is kept which nodes Karpenter may create") {
  const std::string_view pool = R"({"apiVersion": "karpenter.sh/v1", "kind": "NodePool",
      "metadata": {"name": "gpu"}, "spec": {"limits": {"nvidia.com/gpu": "16"}, "template": {
        "metadata": {"labels": {"team": "ml"}},
        "spec": {
          "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "x"},
          "taints": [{"key": "nvidia.com/gpu", "effect": "NoSchedule"}],
          "requirements": [{"key": "karpenter.k8s.aws/instance-family", "operator": "In",
                            "values": ["p5"]}]}}}})";
  CHECK(from_json(pool).karpenter_node_pools.at(0) ==
        KarpenterNodePool{.name = "gpu",
                          .class_group = "karpenter.k8s.aws",
                          .labels = {{"team", "ml"}},
                          .requirements = {{"karpenter.k8s.aws/instance-family", "In", {"p5"}}},
                          .taints = {{.key = "nvidia.com/gpu", .effect = "NoSchedule"}}});
  CHECK(from_kept(pool).karpenter_node_pools == from_json(pool).karpenter_node_pools);
}

TEST_CASE("of a Secret its name is read, and nothing else") {
  SchedulingFacts facts;
  take_object({{"apiVersion", "v1"},
               {"kind", "Secret"},
               {"metadata", {{"namespace", "ml"}, {"name", "hf-token"}}},
               {"data", 7}},
              facts);
  CHECK(facts.secrets == std::vector<SecretName>{{.ns = "ml", .name = "hf-token"}});
}

TEST_CASE("every kind has one row, and every row a whitelist, but what no snapshot keeps") {
  std::set<std::string> resources;
  for (const KindInfo& kind : kinds()) {
    CHECK(&info_of(kind.id) == &kind);
    CHECK(find_kind(kind.kind, std::string(kind.group) + "/v1") == &kind);
    CHECK(resources.insert(resource_of(kind)).second);
    const bool is_kept = kind.id != ObjectKind::secret && kind.id != ObjectKind::queue_config;
    CHECK((kind.fields != nullptr) == is_kept);
    if (!is_kept) continue;
    CHECK(kind.fields().members.contains("metadata"));
    CHECK((kSchedulingKinds | kPlanningKinds | kFittingKinds | kCostKinds | kForecastKinds |
           kCheckupKinds | kQuotaKinds | kMovingKinds)
              .contains(kind.id));
  }
}

TEST_CASE("what is wrong in an object is an error that names it") {
  CHECK(error_of([] {
          from_json(R"({"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata":
              {"namespace": "ml", "name": "c"}, "spec": {"accessModes": ["a", 1]}})");
        }) == "PersistentVolumeClaim ml/c: spec.accessModes[1]: expected a string, got number");
  CHECK(error_of([] {
          from_json(R"({"apiVersion": "kueue.x-k8s.io/v1beta1", "kind": "ClusterQueue", "metadata":
              {"name": "q"}, "spec": {"resourceGroups": [{"flavors": [{"resources": [
              {"nominalQuota": "many"}]}]}]}})");
        }) ==
        "ClusterQueue q: spec.resourceGroups[0].flavors[0].resources[0]: nominalQuota is \"many\", "
        "which is not a quantity");
}

TEST_CASE("facts are sorted, events by age") {
  SchedulingFacts facts;
  facts.namespaces = {{"b", {}}, {"a", {}}};
  facts.quotas = {{.ns = "b", .name = "a"}, {.ns = "a", .name = "b"}, {.ns = "a", .name = "a"}};
  facts.leases = {"y", "x"};
  for (const char* const time : {"2026-11-01T11:00:00Z", "2026-11-01T10:00:00Z"})
    facts.events.push_back({.ns = "ml", .last = parse_time(time)});
  sort_facts(facts);
  CHECK(facts.namespaces[0].name == "a");
  CHECK(facts.quotas[0].name == "a");
  CHECK(facts.quotas[2].ns == "b");
  CHECK(facts.leases == std::vector<std::string>{"x", "y"});
  CHECK(facts.events[0].last == parse_time("2026-11-01T10:00:00Z"));
}

}  // namespace gpu::decode::kinds_kind_info_test
