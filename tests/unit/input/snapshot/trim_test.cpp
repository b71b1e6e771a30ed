#include "input/snapshot/trim.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "decode/objects/pod.hpp"
#include "decode/wire/json_item.hpp"
#include "input/snapshot/trim_fields.hpp"

namespace gpu::input::snapshot_trim_test {

using namespace gpu::decode;
namespace {

using nlohmann::json;

/// Puts a secret wherever the whitelist of a kind has no name: beside every member.
void stuff(json& value) {
  if (value.is_array())
    for (json& element : value) stuff(element);
  if (!value.is_object()) return;
  for (auto& [key, member] : value.items())
    if (key != "labels" && key != "matchLabels" && key != "nodeSelector" && key != "requests" &&
        key != "limits" && key != "annotations")
      stuff(member);
  value["secretWord"] = "s3cret";
  value["secretList"] = {"s3cret", {{"name", "s3cret"}}};
  value["secretObject"] = {{"name", "s3cret"}};
}

json full_pod() {
  return json::parse(R"({
    "apiVersion": "v1", "kind": "Pod",
    "metadata": {"name": "a", "namespace": "team", "uid": "u1", "labels": {"app": "x"},
      "generateName": "s3cret-", "resourceVersion": "s3cret", "finalizers": ["s3cret"],
      "managedFields": [{"manager": "s3cret"}],
      "annotations": {"kubectl.kubernetes.io/last-applied-configuration": "s3cret",
        "vault.example/token": "s3cret", "hami.io/vgpu-node": "gpu-a"},
      "ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "rs",
        "uid": "u2", "controller": true}]},
    "spec": {"nodeName": "gpu-a", "serviceAccountName": "s3cret", "hostname": "s3cret",
      "imagePullSecrets": [{"name": "s3cret"}], "hostAliases": [{"ip": "s3cret"}],
      "securityContext": {"seLinuxOptions": {"user": "s3cret"}},
      "dnsConfig": {"searches": ["s3cret"]},
      "nodeSelector": {"pool": "gold"},
      "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists"}],
      "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution":
        {"nodeSelectorTerms": [{"matchExpressions":
          [{"key": "zone", "operator": "In", "values": ["z1"]}]}]}}},
      "containers": [{"name": "main", "image": "reg/app:1",
        "env": [{"name": "TOKEN", "value": "s3cret"}],
        "envFrom": [{"secretRef": {"name": "s3cret"}}],
        "args": ["--password=s3cret"], "command": ["s3cret"], "workingDir": "s3cret",
        "livenessProbe": {"httpGet": {"httpHeaders": [{"name": "x", "value": "s3cret"}]}},
        "lifecycle": {"preStop": {"exec": {"command": ["s3cret"]}}},
        "volumeMounts": [{"name": "s3cret", "mountPath": "s3cret"}],
        "ports": [{"name": "web", "hostIP": "10.9.0.2", "containerPort": 80, "hostPort": 8080, "protocol": "TCP"}],
        "resources": {"requests": {"nvidia.com/gpu": "1"}, "claims": [{"name": "gpu"}]}}],
      "ephemeralContainers": [{"name": "s3cret", "image": "s3cret"}],
      "volumes": [{"name": "s3cret", "secret": {"secretName": "s3cret"}},
        {"name": "s3cret", "csi": {"volumeAttributes": {"key": "s3cret"}}},
        {"name": "local", "csi": {"driver": "csi.example.com",
          "nodePublishSecretRef": {"name": "s3cret"}}},
        {"name": "disk", "rbd": {"monitors": ["10.9.0.3:6789"], "image": "i", "pool": "p",
          "readOnly": true, "keyring": "s3cret", "secretRef": {"name": "s3cret"}}},
        {"name": "data", "persistentVolumeClaim": {"claimName": "pvc"}},
        {"name": "scratch", "ephemeral": {"volumeClaimTemplate": {"metadata":
          {"annotations": {"a": "s3cret"}}, "spec": {"storageClassName": "fast"}}}}]},
    "status": {"phase": "Running", "podIP": "10.1.2.3", "hostIP": "10.9.0.1",
      "podIPs": [{"ip": "s3cret"}],
      "conditions": [{"type": "Ready", "status": "True", "message": "fine"}],
      "containerStatuses": [{"name": "main", "containerID": "s3cret", "imageID": "s3cret",
        "state": {"terminated": {"reason": "Error", "exitCode": 1, "message": "s3cret"}}}]}})");
}

bool has(const json& object, const char* pointer) {
  return object.contains(json::json_pointer(pointer));
}

}  // namespace

TEST_CASE("trim: a pod full of secrets leaves none") {
  json pod = full_pod();
  stuff(pod);
  REQUIRE(pod.dump().find("s3cret") != std::string::npos);
  const auto kept = trimmed(pod, "v1", "Pod");
  REQUIRE(kept);
  CHECK(kept->dump().find("s3cret") == std::string::npos);
  CHECK(kept->dump().find("ecret") == std::string::npos);
  CHECK(has(*kept, "/spec/volumes/3/ephemeral/volumeClaimTemplate/spec/storageClassName"));
  CHECK((*kept)["spec"]["volumes"].size() == 4);
  CHECK((*kept)["spec"]["containers"][0]["ports"][0] == json({{"name", "web"},
                                                              {"containerPort", 80},
                                                              {"hostPort", 8080},
                                                              {"hostIP", "10.9.0.2"},
                                                              {"protocol", "TCP"}}));
  CHECK(has(*kept, "/status/containerStatuses/0/state/terminated/exitCode"));
  CHECK((*kept)["metadata"]["annotations"] == json({{"hami.io/vgpu-node", "gpu-a"}}));
}

TEST_CASE("trim: the model reads the same from what is kept") {
  const json pod = full_pod();
  CHECK(pod_from_json(*trimmed(pod, "v1", "Pod")) == pod_from_json(pod));
  CHECK(trimmed(*trimmed(pod, "v1", "Pod"), "v1", "Pod") == trimmed(pod, "v1", "Pod"));
}

TEST_CASE("trim: a node keeps no address or host's id") {
  const auto kept = trimmed(
      json::parse(R"({"metadata": {"name": "n", "annotations": {"flannel/public-ip": "10.1.1.1"}},
        "spec": {"podCIDR": "10.1.0.0/24", "providerID": "aws:///z/i-1", "unschedulable": true},
        "status": {"addresses": [{"address": "10.1.1.1"}], "capacity": {"nvidia.com/gpu": 8},
          "images": [{"names": ["registry/x"], "sizeBytes": 7, "more": "10.1.1.1"}],
          "nodeInfo": {"machineID": "10.1.1.1", "kubeletVersion": "v1.36.1"},
          "daemonEndpoints": {"kubeletEndpoint": {"Port": 10250}}}})"),
      "v1", "Node");
  REQUIRE(kept);
  CHECK(kept->dump().find("10.1.") == std::string::npos);
  CHECK(kept->at("kind") == "Node");
  CHECK(has(*kept, "/status/capacity/nvidia.com~1gpu"));
  CHECK(has(*kept, "/spec/unschedulable"));
  CHECK((*kept)["status"]["images"] ==
        json::parse(R"([{"names": ["registry/x"], "sizeBytes": 7}])"));
}

TEST_CASE("trim: of kinds that own pods stays whether they may make any, and nothing of others") {
  const json metadata = {{"name", "train"}, {"uid", "u"}};
  const json condition = {{"type", "Complete"}, {"status", "True"}};
  const json job = {{"metadata", metadata},
                    {"spec", {{"template", "s3cret"}, {"suspend", true}, {"parallelism", 2}}},
                    {"status", {{"conditions", {condition}}, {"active", 1}}}};
  const auto kept = trimmed(job, "batch.volcano.sh/v1alpha1", "Job");
  REQUIRE(kept);
  CHECK(*kept == json({{"apiVersion", "batch.volcano.sh/v1alpha1"},
                       {"kind", "Job"},
                       {"metadata", metadata},
                       {"spec", {{"suspend", true}, {"parallelism", 2}}},
                       {"status", {{"conditions", {condition}}}}}));
  CHECK_FALSE(trimmed(job, "v1", "Secret"));
  CHECK_FALSE(trimmed(job, "v1", "ConfigMap"));
  CHECK_FALSE(trimmed(job, "acme.example/v1", "Job"));
}

TEST_CASE("trim: devices of both shapes of ResourceSlice, requests of both of ResourceClaim") {
  const json facts = json::parse(R"({"attributes": {"type": {"string": "gpu"}},
    "capacity": {"memory": {"value": "80Gi", "requestPolicy": {"default": "1Gi"}}},
    "consumesCounters": [{"counterSet": "s", "counters": {"memory": {"value": "80Gi"}}}],
    "taints": [{"key": "k", "effect": "NoSchedule"}], "allowMultipleAllocations": true})");
  json device = facts;
  device["name"] = "gpu-0";
  const json newer = {{"spec", {{"driver", "gpu.nvidia.com"}, {"devices", {device}}}}};
  const json older = {{"spec", {{"devices", {{{"name", "gpu-0"}, {"basic", facts}}}}}}};
  CHECK(trimmed(newer, "resource.k8s.io/v1", "ResourceSlice")->at("spec") == newer["spec"]);
  CHECK(trimmed(older, "resource.k8s.io/v1beta1", "ResourceSlice")->at("spec") == older["spec"]);
  const json claim = json::parse(R"({"spec": {"devices": {"requests": [{"name": "r",
      "exactly": {"deviceClassName": "gpu.nvidia.com", "count": 2}}],
      "config": [{"opaque": {"parameters": {"key": "s3cret"}}}]}},
    "status": {"allocation": {"devices": {"results": [{"request": "r", "driver": "d", "pool": "p",
      "device": "x", "shareID": "u", "consumedCapacity": {"memory": "4Gi"}}]}},
      "reservedFor": [{"resource": "pods", "name": "a", "uid": "u"}],
      "devices": [{"networkData": {"ips": ["s3cret"]}}]}})");
  const auto kept = trimmed(claim, "resource.k8s.io/v1", "ResourceClaim");
  CHECK(kept->dump().find("s3cret") == std::string::npos);
  CHECK((*kept)["status"]["allocation"] == claim["status"]["allocation"]);
  CHECK((*kept)["status"]["reservedFor"] == claim["status"]["reservedFor"]);
  CHECK((*kept)["spec"]["devices"]["requests"] == claim["spec"]["devices"]["requests"]);
}

TEST_CASE("trim: what newer schedulers look at stays") {
  const json node = json::parse(R"({"status": {"declaredFeatures": ["A"]}})");
  CHECK(trimmed(node, "v1", "Node")->at("status") == node["status"]);
  const json pod = json::parse(R"({"spec": {"hostUsers": false, "containers": [
      {"restartPolicyRules": [{"action": "RestartAllContainers"}]}],
      "volumes": [{"name": "d", "azureDisk": {"diskURI": "u", "kind": "Shared"}}]}})");
  CHECK(trimmed(pod, "v1", "Pod")->at("spec") == pod["spec"]);
  const json claim = json::parse(R"({"status": {"allocation":
      {"allocationTimestamp": "2026-11-01T10:00:00Z", "devices": {"results": [{"driver": "d",
        "bindingConditions": ["R"], "bindingFailureConditions": ["F"]}]}},
      "devices": [{"driver": "d", "pool": "p", "device": "x", "shareID": "u",
        "conditions": [{"type": "R", "status": "True"}]}]}})");
  CHECK(trimmed(claim, "resource.k8s.io/v1", "ResourceClaim")->at("status") == claim["status"]);
}

TEST_CASE("trim: wrong types are dropped, not passed on") {
  const json odd = json::parse(R"({"metadata": {"name": {"s3cret": 1}, "labels": "s3cret"},
    "spec": {"containers": "s3cret", "tolerations": ["s3cret"], "volumes": ["s3cret"],
      "nodeSelector": [{"a": "s3cret"}]}})");
  CHECK(trimmed(odd, "v1", "Pod")->dump().find("s3cret") == std::string::npos);
  CHECK_FALSE(trimmed(json::array(), "v1", "Pod"));
}

}  // namespace gpu::input::snapshot_trim_test
