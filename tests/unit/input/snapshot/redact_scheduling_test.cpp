#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "decode/kinds/kind_info.hpp"
#include "input/snapshot/redact.hpp"
#include "input/snapshot/trim.hpp"

namespace gpu::input::snapshot_redact_scheduling_test {

using namespace gpu::decode;
namespace {

using nlohmann::json;

/// Every name in it holds "acme".
std::vector<json> cluster() {
  std::vector<json> objects;
  const auto add = [&](const char* text) { objects.push_back(json::parse(text)); };
  add(R"({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "acme-ns",
      "labels": {"kubernetes.io/metadata.name": "acme-ns", "acme.com/team": "acme"}}})");
  add(R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "acme-node"}})");
  add(R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "acme-p", "namespace": "acme-ns",
      "labels": {"kueue.x-k8s.io/queue-name": "acme-queue"}}, "spec": {
      "schedulerName": "acme-scheduler", "runtimeClassName": "acme-runtime",
      "schedulingGroup": {"podGroupName": "acme-gang"}, "volumes": [
        {"name": "acme-v", "persistentVolumeClaim": {"claimName": "acme-pvc"}},
        {"name": "acme-w", "csi": {"driver": "csi.acme.com"}},
        {"name": "acme-x", "rbd": {"image": "acme-image", "pool": "acme", "monitors": ["acme:1"]}}],
      "containers": [{"name": "acme-c", "ports": [{"hostIP": "10.9.1.1", "hostPort": 53}]}]}})");
  add(R"({"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "acme-pvc",
      "namespace": "acme-ns", "annotations": {"pv.kubernetes.io/bind-completed": "yes",
        "volume.kubernetes.io/selected-node": "acme-node",
        "volume.beta.kubernetes.io/storage-class": "acme-fast"}},
      "spec": {"volumeName": "acme-pv", "storageClassName": "acme-fast",
        "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}})");
  add(R"({"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "acme-pv"},
      "spec": {"storageClassName": "acme-fast", "hostPath": {"path": "/acme"},
        "claimRef": {"namespace": "acme-ns", "name": "acme-pvc"}}})");
  add(R"({"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata":
      {"name": "acme-fast"}, "provisioner": "csi.acme.com", "parameters": {"secret": "acme"},
      "allowedTopologies": [{"matchLabelExpressions": [{"key": "acme.com/z", "values":
        ["acme"]}]}]})");
  add(R"({"apiVersion": "storage.k8s.io/v1", "kind": "CSINode", "metadata": {"name": "acme-node"},
      "spec": {"drivers": [{"name": "csi.acme.com", "nodeID": "acme", "allocatable":
        {"count": 3}}]}})");
  add(R"({"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "acme-quota",
      "namespace": "acme-ns"}, "spec": {"hard": {"requests.nvidia.com/gpu": "8", "pods": "4",
        "acme-fast.storageclass.storage.k8s.io/requests.storage": "1Ti",
        "requests.acme.com/dongle": "1"}}})");
  add(R"({"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "acme-bounds",
      "namespace": "acme-ns"}, "spec": {"limits": [{"type": "Container", "max": {"cpu": "2",
        "acme.com/dongle": "1"}}]}})");
  add(R"({"apiVersion": "v1", "kind": "Event", "metadata": {"name": "acme-p.17",
      "namespace": "acme-ns"}, "involvedObject": {"kind": "Pod", "apiVersion": "v1",
        "namespace": "acme-ns", "name": "acme-p"}, "reason": "FailedScheduling", "type": "Warning",
      "message": "0/1 nodes are available: persistentvolumeclaim \"acme-pvc\" not found.",
      "reportingComponent": "default-scheduler", "count": 2})");
  add(R"({"apiVersion": "v1", "kind": "Event", "metadata": {"name": "acme-y.17",
      "namespace": "acme-ns"}, "involvedObject": {"kind": "AcmeThing", "apiVersion": "acme.com/v1",
        "namespace": "acme-ns", "name": "acme-y"}, "reason": "AcmeReason",
      "message": "acme says so", "source": {"component": "acme-controller"}})");
  add(R"({"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue", "metadata":
      {"name": "acme-queue", "namespace": "acme-ns"}, "spec": {"clusterQueue": "acme-cq"}})");
  add(R"({"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue", "metadata":
      {"name": "acme-cq"}, "spec": {"cohortName": "acme-all", "resourceGroups": [{"flavors": [
        {"name": "acme-flavor", "resources": [{"name": "nvidia.com/gpu",
          "nominalQuota": "8"}]}]}]}})");
  add(R"({"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Workload", "metadata":
      {"name": "acme-w", "namespace": "acme-ns"}, "spec": {"queueName": "acme-queue", "podSets": [
        {"name": "acme-set", "count": 2, "template": {"spec": {"volumes": [{"name": "acme-secret",
          "secret": {"secretName": "acme"}}], "containers": [{"name": "acme-c"}]}}}]}})");
  add(R"({"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata":
      {"name": "acme-scheduler", "namespace": "kube-system"}, "spec": {"holderIdentity": "acme"}})");
  add(R"({"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": "acme-set",
      "namespace": "acme-ns"}, "spec": {"template": {"spec": {"volumes": [{"name": "acme-secret",
        "configMap": {"name": "acme"}}]}}}})");
  return objects;
}

std::vector<json> redacted(const std::vector<json>& objects) {
  Redactor redactor;
  std::vector<json> kept;
  for (const json& object : objects)
    if (auto one = trimmed(object, object.at("apiVersion").get<std::string>(),
                           object.at("kind").get<std::string>()))
      kept.push_back(*one);
  for (const json& object : kept) redactor.learn(object);
  redactor.settle();
  std::vector<json> shown;
  for (const json& object : kept) shown.push_back(redactor.redacted(object));
  return shown;
}

std::string text_of(const std::vector<json>& objects) {
  std::string text;
  for (const json& object : objects) text += object.dump() + "\n";
  return text;
}

SchedulingFacts facts_of(const std::vector<json>& objects) {
  SchedulingFacts facts;
  for (const json& object : objects) take_object(object, facts);
  return facts;
}

}  // namespace

TEST_CASE("redact: kinds that decide on scheduling are kept, and no name of theirs is") {
  const std::vector<json> shown = redacted(cluster());
  CHECK(shown.size() == cluster().size());
  const std::string text = text_of(shown);
  INFO(text);
  for (const char* const trace : {"acme", "Acme", "10.9."})
    CHECK(text.find(trace) == std::string::npos);
  CHECK(text_of(redacted(shown)) == text);
}

TEST_CASE(
    "redact: features of nodes stay where they are Kubernetes', conditions keep their names") {
  const std::vector<json> shown = redacted(
      {json::parse(R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}, "status":
         {"declaredFeatures": ["RestartAllContainersOnContainerExits", "AcmeFeature"]}})"),
       json::parse(R"({"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata":
         {"name": "c", "namespace": "x"}, "status": {"allocation": {"devices": {"results": [
           {"driver": "acme.com", "pool": "p", "device": "acme-x",
            "bindingConditions": ["acme.com/up"]}]}}, "devices": [
           {"driver": "acme.com", "pool": "p", "device": "acme-x", "conditions": [
             {"type": "acme.com/up", "status": "True", "message": "acme"}]}]}})")});
  INFO(text_of(shown));
  const json& features = shown.at(0)["status"]["declaredFeatures"];
  CHECK(features.at(0) == "RestartAllContainersOnContainerExits");
  CHECK(features.at(1) != "AcmeFeature");
  const json& status = shown.at(1)["status"];
  const json& result = status["allocation"]["devices"]["results"].at(0);
  CHECK(result["bindingConditions"].at(0) == status["devices"].at(0)["conditions"].at(0)["type"]);
  CHECK(result["device"] == status["devices"].at(0)["device"]);
  CHECK(status["devices"].at(0)["conditions"].at(0)["status"] == "True");
  CHECK(text_of(shown).find("cme") == std::string::npos);
}

TEST_CASE("redact: what names each other still does") {
  const SchedulingFacts facts = facts_of(redacted(cluster()));
  const PersistentVolumeClaim& claim = facts.volume_claims.at(0);
  const PersistentVolume& volume = facts.volumes.at(0);
  CHECK(claim.volume == volume.name);
  CHECK(volume.claim_name == claim.name);
  CHECK(volume.claim_ns == facts.namespaces.at(0).name);
  CHECK(volume.legacy_driver == "hostPath");
  CHECK(claim.storage_class == facts.storage_classes.at(0).name);
  CHECK(volume.storage_class == claim.storage_class);
  CHECK(claim.is_bound);
  CHECK(claim.selected_node == facts.csi_nodes.at(0).name);
  CHECK(facts.csi_nodes.at(0).drivers.at(0).name == facts.storage_classes.at(0).provisioner);
  CHECK(facts.local_queues.at(0).cluster_queue == facts.cluster_queues.at(0).name);
  CHECK(facts.workloads.at(0).queue == facts.local_queues.at(0).name);
  const ResourceQuota& quota = facts.quotas.at(0);
  CHECK(amount_of(quota.hard, "requests.nvidia.com/gpu") == Quantity::of(8));
  CHECK(amount_of(quota.hard, "pods") == Quantity::of(4));
  CHECK(
      quota.hard.contains(*claim.storage_class + ".storageclass.storage.k8s.io/requests.storage"));
  const LimitRange& range = facts.limit_ranges.at(0);
  CHECK(range.ns == quota.ns);
  CHECK(range.limits.at(0).type == "Container");
  CHECK(amount_of(range.limits.at(0).max, "cpu") == Quantity::of(2));
  REQUIRE(facts.events.size() == 2);
  const Event& event =
      facts.events.at(0).reason == "FailedScheduling" ? facts.events.at(0) : facts.events.at(1);
  CHECK(event.kind == "Pod");
  CHECK(event.reporter == "default-scheduler");
  CHECK(event.message ==
        "0/1 nodes are available: persistentvolumeclaim \"" + claim.name + "\" not found.");
}

TEST_CASE("redact: of messages, words that nobody knows are an x, long numbers beside them too") {
  const auto message = [](const std::string& text) {
    const json event = {{"apiVersion", "v1"},
                        {"kind", "Event"},
                        {"metadata", {{"name", "e"}, {"namespace", "blue"}}},
                        {"involvedObject", {{"kind", "Job"}, {"name", "acme-job"}}},
                        {"message", text}};
    const json shown = redacted({event}).at(0);
    CHECK(shown["involvedObject"]["kind"] == "Job");
    return shown.value("message", "");
  };
  CHECK(message("all available instance types exceed limits for nodepool (NodePool=acme-gpus)") ==
        "all available instance types exceed limits for nodepool (NodePool=x)");
  CHECK(message("failed to create containerd task: nvidia-container-cli: /home/acme/lib") ==
        "failed to create containerd task: nvidia-container-cli: x");
  CHECK(message("quota exceeded for account 123456789012 of acme, limit is 64Gi") ==
        "quota exceeded for account x of x, limit is 64Gi");
  CHECK(message("acme said so to bob").empty());
}

TEST_CASE("redact: what schedulers, queues, kubelets and autoscalers say stays as it is") {
  const auto message = [](const std::string& text) {
    const json event = {{"apiVersion", "v1"},
                        {"kind", "Event"},
                        {"metadata", {{"name", "e"}, {"namespace", "blue"}}},
                        {"involvedObject", {{"kind", "Job"}, {"name", "acme-job"}}},
                        {"message", text}};
    return redacted({event}).at(0).value("message", "");
  };
  for (const char* const text :
       {"0/4 nodes are available: 4 node(s) didn't match Pod's node affinity/selector.",
        "0/9 nodes are available: 1 node(s) were unschedulable, 3 Insufficient nvidia.com/gpu, 5 "
        "node(s) had untolerated taint(s). no new claims to deallocate, preemption: 0/9 nodes are "
        "available: 9 Preemption is not helpful for scheduling.",
        "0/1 nodes are available: 1 node(s) didn't satisfy existing pods anti-affinity rules.",
        "0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found",
        "couldn't assign flavors to a pod set: insufficient unused quota for nvidia.com/gpu, 1 "
        "more needed",
        "Workload is waiting: submit it again, its queue has no quota reserved",
        "Allocate failed due to requested number of devices unavailable for nvidia.com/gpu. "
        "Requested: 1, Available: 0, which is unexpected",
        "Pod was rejected: Node didn't have enough resource: cpu, requested: 4000, used: 2000, "
        "capacity: 5000",
        "pod didn't trigger scale-up: 1 max node group size reached, 2 node(s) didn't match Pod's "
        "node affinity/selector",
        "Failed to schedule pod, all available instance types exceed limits for nodepool",
        "nvidia-container-cli: initialization error: nvml error: driver/library version mismatch: "
        "unknown"}) {
    INFO(text);
    CHECK(message(text) == text);
  }
  CHECK(message("no node matched the selector of acme/secret-job") ==
        "no node matched the selector of x");
}

TEST_CASE("redact: a flavor that is called as a word of Kueue's messages is hidden in them, too") {
  const json flavor = {
      {"apiVersion", "kueue.x-k8s.io/v1beta2"},
      {"kind", "ResourceFlavor"},
      {"metadata", {{"name", "reserved"}}},
      {"spec", {{"nodeLabels", {{"acme", "gold"}}}, {"topologyName", "acme-racks"}}}};
  const json workload = {
      {"apiVersion", "kueue.x-k8s.io/v1beta2"},
      {"kind", "Workload"},
      {"metadata", {{"name", "w"}, {"namespace", "blue"}}},
      {"status",
       {{"conditions",
         {{{"type", "QuotaReserved"},
           {"message", "insufficient unused quota for cpu in flavor reserved, 1 more needed"}}}}}}};
  const std::vector<json> shown = redacted({flavor, workload});
  const std::string name = shown.at(0)["metadata"]["name"];
  CHECK(name != "reserved");
  CHECK(shown.at(0).dump().find("acme") == std::string::npos);
  CHECK(shown.at(1)["status"]["conditions"].at(0)["message"] ==
        "insufficient unused quota for cpu in flavor " + name + ", 1 more needed");
}

TEST_CASE("redact: a PodGroup of Volcano stays called after its owner and that one's uid") {
  const std::string uid = "5f0c2a10-1111-4222-8333-123456789abc";
  const auto event = [](const std::string& group) {
    return json{{"apiVersion", "v1"},
                {"kind", "Event"},
                {"metadata", {{"name", "e"}, {"namespace", "acme"}}},
                {"involvedObject", {{"kind", "PodGroup"}, {"name", group}}}};
  };
  const std::vector<json> shown =
      redacted({json{{"apiVersion", "v1"},
                     {"kind", "Pod"},
                     {"metadata",
                      {{"name", "p"},
                       {"namespace", "acme"},
                       {"ownerReferences",
                        {{{"apiVersion", "batch.volcano.sh/v1alpha1"},
                          {"kind", "Job"},
                          {"name", "acme-job"},
                          {"uid", uid}}}}}}},
                event("acme-job-" + uid), event("podgroup-" + uid), event("acme-other")});
  const json& owner = shown.at(0)["metadata"]["ownerReferences"].at(0);
  const std::string its_uid = owner["uid"];
  CHECK(its_uid != uid);
  CHECK(shown.at(1)["involvedObject"]["name"] == owner["name"].get<std::string>() + "-" + its_uid);
  CHECK(shown.at(2)["involvedObject"]["name"] == "podgroup-" + its_uid);
  CHECK(text_of(shown).find("acme") == std::string::npos);
}

TEST_CASE("redact: conditions of owners keep their names") {
  const json owner = redacted({json::parse(R"({"apiVersion": "batch/v1", "kind": "Job", "metadata":
      {"name": "acme-job", "namespace": "x"}, "status": {"conditions": [
        {"type": "Complete", "status": "True", "reason": "CompletionsReached"},
        {"type": "AcmeDone", "status": "True"}]}})")})
                         .at(0);
  const json& conditions = owner["status"]["conditions"];
  CHECK(conditions.at(0)["type"] == "Complete");
  CHECK(conditions.at(0)["reason"] == "CompletionsReached");
  CHECK(conditions.at(1)["type"] != "AcmeDone");
}

}  // namespace gpu::input::snapshot_redact_scheduling_test
