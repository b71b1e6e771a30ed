#include "input/snapshot/redact.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "input/snapshot/hardware_words.hpp"
#include "input/snapshot/redact_known.hpp"
#include "input/snapshot/trim.hpp"

namespace gpu::input::snapshot_redact_test {

namespace {

using nlohmann::json;

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

/// Every name in it holds "acme", every address "10.9.", every id "feed".
std::vector<json> cluster() {
  return {json::parse(R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "acme-n2",
      "uid": "feed0001-0000-0000-0000-000000000000",
      "labels": {"kubernetes.io/hostname": "acme-n2", "acme.com/team": "acme-red",
        "topology.kubernetes.io/zone": "acme-z", "nvidia.com/gpu.product": "NVIDIA-L4",
        "nvidia.com/gpu.count": "4", "node.kubernetes.io/instance-type": "g2"},
      "annotations": {"hami.io/node-nvidia-register":
        "GPU-feed0002-0000-0000-0000-000000000000,10,24576,100,NVIDIA-NVIDIA L4,0,true:",
        "hami.io/acme-thing": "acme"}},
      "spec": {"providerID": "aws:///acme-z/i-acme", "taints": [{"key": "nvidia.com/gpu",
        "value": "present", "effect": "NoSchedule"}, {"key": "acme.com/own", "value": "acme"}]},
      "status": {"capacity": {"nvidia.com/gpu": "4", "acme.com/dongle": "1"},
        "conditions": [{"type": "Ready", "status": "True", "reason": "KubeletReady",
          "message": "kubelet is posting ready status"},
          {"type": "AcmeHealthy", "status": "True", "message": "node acme-n2 at 10.9.1.1"}],
        "nodeInfo": {"kubeletVersion": "v1.36.1-acme", "osImage": "Acme Linux"}}})"),
          json::parse(R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "acme-n1",
      "labels": {"kubernetes.io/hostname": "acme-n1"}}})"),
          json::parse(R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "acme-p",
      "namespace": "acme-ns", "uid": "feed0003-0000-0000-0000-000000000000",
      "labels": {"acme.com/team": "acme-red"},
      "annotations": {"hami.io/vgpu-node": "acme-n2"},
      "ownerReferences": [{"apiVersion": "acme.com/v1", "kind": "AcmeRun", "name": "acme-run",
        "uid": "feed0004-0000-0000-0000-000000000000", "controller": true}]},
      "spec": {"nodeName": "acme-n2", "schedulerName": "acme-sched",
        "nodeSelector": {"acme.com/team": "acme-red", "kubernetes.io/hostname": "acme-n2"},
        "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution":
          {"nodeSelectorTerms": [{"matchExpressions": [{"key": "acme.com/team", "operator": "In",
            "values": ["acme-red"]}], "matchFields": [{"key": "metadata.name", "operator": "In",
            "values": ["acme-n1"]}]}]}}},
        "containers": [{"name": "acme-c", "image": "10.9.1.2:5000/acme/app:1",
          "resources": {"requests": {"nvidia.com/gpu": "1", "acme.com/dongle": "1"},
            "claims": [{"name": "acme-gpu"}]}},
          {"name": "acme-d", "image": "nvcr.example/acme/dcgm-exporter:4"}],
        "resourceClaims": [{"name": "acme-gpu", "resourceClaimName": "acme-claim"}]},
      "status": {"phase": "Pending", "conditions": [
          {"type": "PodScheduled", "status": "False", "reason": "Unschedulable",
           "message": "0/2 nodes are available: 1 Insufficient nvidia.com/gpu, 1 node(s) had untolerated taint {acme.com/own: acme}."},
          {"type": "AcmeGate", "status": "False", "reason": "AcmeSays", "message": "acme says no"}],
        "containerStatuses": [{"name": "acme-c", "allocatedResourcesStatus": [
          {"name": "nvidia.com/gpu", "resources": [
            {"resourceID": "GPU-feed0002-0000-0000-0000-000000000000::3"}]},
          {"name": "claim:acme-gpu/acme-req", "resources": [{"resourceID": "gpu-0"}]}]}]}})"),
          json::parse(R"({"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice",
      "metadata": {"name": "acme-slice"}, "spec": {"driver": "gpu.nvidia.com",
        "pool": {"name": "acme-n2", "generation": 1, "resourceSliceCount": 1},
        "nodeName": "acme-n2", "devices": [{"name": "gpu-0", "attributes": {
          "productName": {"string": "NVIDIA L4"}, "acmeRack": {"string": "acme-7"},
          "uuid": {"string": "GPU-feed0002-0000-0000-0000-000000000000"}},
          "capacity": {"memory": {"value": "24Gi"}}}]}})"),
          json::parse(R"({"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim",
      "metadata": {"name": "acme-claim", "namespace": "acme-ns"}, "spec": {"devices":
        {"requests": [{"name": "acme-req", "exactly": {"deviceClassName": "acme-class",
          "selectors": [{"cel": {"expression": "device.attributes['gpu.nvidia.com'].productName == 'NVIDIA L4'"}}]}}]}},
      "status": {"allocation": {"devices": {"results": [{"request": "acme-req",
        "driver": "gpu.nvidia.com", "pool": "acme-n2", "device": "gpu-0"}]}},
        "reservedFor": [{"resource": "pods", "name": "acme-p",
          "uid": "feed0003-0000-0000-0000-000000000000"}]}})"),
          json::parse(R"({"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass",
      "metadata": {"name": "acme-class"}, "spec": {"selectors": [
        {"cel": {"expression": "device.driver == 'gpu.acme.com'"}},
        {"cel": {"expression": "device.acmeField == 'acme'"}}]}})")};
}

std::string text_of(const std::vector<json>& objects) {
  std::string text;
  for (const json& object : objects) text += object.dump() + "\n";
  return text;
}

/// Lower case, so that no spelling of a name gets past.
std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

TEST_CASE("redact: no name, address or id is left") {
  const std::string text = lower(text_of(redacted(cluster())));
  for (const char* const trace : {"acme", "10.9.", "feed", "aws:///i-"})
    CHECK(text.find(trace) == std::string::npos);
  INFO(text);
  CHECK(text.find("nvcr") == std::string::npos);
}

TEST_CASE("redact: the same name is the same everywhere") {
  const std::vector<json> shown = redacted(cluster());
  const json& node = shown[0];
  const json& pod = shown[2];
  CHECK(node["metadata"]["name"] == "node-002");
  CHECK(shown[1]["metadata"]["name"] == "node-001");
  CHECK(node["metadata"]["labels"]["kubernetes.io/hostname"] == "node-002");
  CHECK(pod["spec"]["nodeName"] == "node-002");
  CHECK(pod["metadata"]["annotations"]["hami.io/vgpu-node"] == "node-002");
  CHECK(pod["spec"]["nodeSelector"]["kubernetes.io/hostname"] == "node-002");
  const json& term = pod["spec"]["affinity"]["nodeAffinity"]
                        ["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"][0];
  const std::string key = term["matchExpressions"][0]["key"];
  CHECK(node["metadata"]["labels"][key] == term["matchExpressions"][0]["values"][0]);
  CHECK(pod["metadata"]["labels"][key] == node["metadata"]["labels"][key]);
  CHECK(term["matchFields"][0]["values"][0] == "node-001");
  CHECK(shown[3]["spec"]["pool"]["name"] == "node-002");
  CHECK(shown[4]["metadata"]["name"] == pod["spec"]["resourceClaims"][0]["resourceClaimName"]);
  CHECK(shown[4]["status"]["reservedFor"][0]["name"] == pod["metadata"]["name"]);
  CHECK(shown[4]["status"]["reservedFor"][0]["uid"] == pod["metadata"]["uid"]);
  CHECK(shown[4]["spec"]["devices"]["requests"][0]["exactly"]["deviceClassName"] ==
        shown[5]["metadata"]["name"]);
  // The card has one id, whoever writes it.
  const std::string uuid = shown[3]["spec"]["devices"][0]["attributes"]["uuid"]["string"];
  CHECK(uuid.starts_with("GPU-00000000-0000-4000-8000-"));
  CHECK(pod["status"]["containerStatuses"][0]["allocatedResourcesStatus"][0]["resources"][0]
           ["resourceID"] == uuid + "::3");
  CHECK(node["metadata"]["annotations"]["hami.io/node-nvidia-register"]
            .get<std::string>()
            .starts_with(uuid + ",10,24576,100,NVIDIA-NVIDIA L4,0,true:"));
}

TEST_CASE("redact: what says nothing of anybody stays") {
  const std::vector<json> shown = redacted(cluster());
  const json& node = shown[0];
  CHECK(node["metadata"]["labels"]["nvidia.com/gpu.product"] == "NVIDIA-L4");
  CHECK(node["metadata"]["labels"]["node.kubernetes.io/instance-type"] == "g2");
  CHECK(node["status"]["capacity"]["nvidia.com/gpu"] == "4");
  CHECK(node["spec"]["taints"][0] ==
        json({{"key", "nvidia.com/gpu"}, {"value", "present"}, {"effect", "NoSchedule"}}));
  CHECK(node["spec"]["providerID"] == "aws:///instance-001");
  CHECK(node["status"]["nodeInfo"] == json({{"kubeletVersion", "v1.36.1"}}));
  CHECK(node["status"]["conditions"][0]["message"] == "kubelet is posting ready status");
  // A word that nobody knows is an x.
  CHECK(node["status"]["conditions"][1]["message"] == "node node-002 at x");
  const json& pod = shown[2];
  CHECK(pod["spec"]["containers"][1]["image"] == "dcgm-exporter");
  CHECK(pod["status"]["conditions"][0]["message"].get<std::string>().starts_with(
      "0/2 nodes are available: 1 Insufficient nvidia.com/gpu, 1 node(s) had untolerated taint {"));
  CHECK(pod["status"]["conditions"][1].value("message", "").find("acme") == std::string::npos);
  const json& request = shown[4]["spec"]["devices"]["requests"][0]["exactly"];
  CHECK(request["selectors"][0]["cel"]["expression"] ==
        "device.attributes['gpu.nvidia.com'].productName == 'NVIDIA L4'");
  const json& selectors = shown[5]["spec"]["selectors"];
  CHECK(selectors[0]["cel"]["expression"] == "device.driver == 'gpu-01.example.com'");
  // What cannot be shown selects nothing, rather than everything.
  CHECK(selectors[1]["cel"]["expression"] == "false");
}

TEST_CASE("redact: a second time changes nothing") {
  const std::vector<json> once = redacted(cluster());
  CHECK(text_of(redacted(once)) == text_of(once));
}

TEST_CASE("redact: a second time changes nothing where names and values were hidden apart") {
  const std::vector<json> odd = {
      json::parse(R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "acme",
        "labels": {"nvidia.com/gpu.product": "acme secret", "acme.com/a": "4"}}})"),
      json::parse(R"({"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice",
        "metadata": {"name": "acme"}, "spec": {"driver": "gpu.nvidia.com", "devices": [
          {"name": "gpu-0", "attributes": {"acmeSerial": {"string": "acme-1"}}}]}})")};
  const std::vector<json> once = redacted(odd);
  CHECK(lower(text_of(once)).find("acme") == std::string::npos);
  CHECK(text_of(redacted(once)) == text_of(once));
}

TEST_CASE("redact: order is kept, among names that stay too") {
  Pseudonyms names;
  const std::vector<std::string> sorted = {"alpha", "default", "dev",      "kube-system", "ml-1",
                                           "ml-10", "ml-2",    "research", "zeta"};
  for (const std::string& name : sorted) names.of(Space::ns, name);
  names.settle();
  std::vector<std::string> shown;
  for (const std::string& name : sorted) shown.push_back(names.of(Space::ns, name));
  CHECK(std::is_sorted(shown.begin(), shown.end()));
  CHECK(shown[1] == "default");
  CHECK(shown[3] == "kube-system");
  CHECK(shown[4] == "ns-03");

  Pseudonyms many;
  for (int i = 0; i < 1200; ++i) many.of(Space::node, "n" + std::to_string(100000 + i));
  many.settle();
  CHECK(many.find(Space::node, "n100000") == "node-0001");
  CHECK(many.find(Space::node, "n101199") == "node-1200");
  CHECK_FALSE(many.find(Space::node, "n1"));
}

TEST_CASE("redact: gaps lose the names that they hold") {
  Redactor redactor;
  redactor.learn({{"apiVersion", "v1"},
                  {"kind", "Pod"},
                  {"metadata", {{"name", "p"}, {"namespace", "acme"}}}});
  redactor.settle();
  const Gap gap = redactor.redacted(
      Gap{.what = "pods can be listed in 1 namespace only (acme), so more may be allocated",
          .why = "Error from server (Forbidden): pods is forbidden: User \"jo@acme.com\" cannot "
                 "list resource \"pods\" in API group \"\" at the cluster scope",
          .help = "kubectl auth whoami",
          .about = GapTopic::scheduling,
          .missing = Missing::pods,
          .help_form = HelpForm::command});
  CHECK(gap.what == "pods can be listed in 1 namespace only (ns-01), so more may be allocated");
  CHECK(gap.why ==
        "Error from server (Forbidden): pods is forbidden: User \"x\" cannot list resource "
        "\"pods\" in API group \"\" at the cluster scope");
  CHECK(gap.help.empty());
  CHECK(gap.about == GapTopic::scheduling);
  CHECK(gap.missing == Missing::pods);
  CHECK(gap.help_form == HelpForm::prose);
  CHECK(redactor.redacted(Gap{"no metrics from acme: p is not ready", "acme/p: reloading"}).what ==
        "no metrics from ns-01: pod-0001 is not ready");
  Redactor again;
  again.learn({{"apiVersion", "v1"},
               {"kind", "Pod"},
               {"metadata", {{"name", "pod-0001"}, {"namespace", "ns-01"}}}});
  again.settle();
  CHECK(again.redacted(gap) == gap);
}

TEST_CASE("redact: names of hardware are known by their parts") {
  for (const char* const name :
       {"gpu-0", "gpu-0-mig-1g10gb-19-0", "0000:0f:00.0", "gpu-0-mig-1g.10gb-3", "memory-slice-7",
        "0000-03-00-0", "gpu-0-counter-set"})
    CHECK(is_hardware_name(name));
  for (const char* const name : {"acme-gpu", "node-7", "gpu-of-jo", "4b3c0000-1111"})
    CHECK_FALSE(is_hardware_name(name));
  CHECK(known_image("nvcr.example/nvidia/k8s/dcgm-exporter:4.1@sha256:00") == "dcgm-exporter");
  CHECK(known_image("acme/app").empty());
  CHECK(is_known_domain("gpu.nvidia.com"));
  CHECK_FALSE(is_known_domain("notnvidia.com"));
}

TEST_CASE("redact: behind a known prefix stand known words, or none of it is left") {
  for (const char* const key :
       {"nvidia.com/gpu.engines.copy", "nvidia.com/mig-1g.10gb.count",
        "nvidia.com/cuda.driver.major", "karpenter.k8s.aws/instance-gpu-count",
        "feature.node.kubernetes.io/pci-0302_10de.present",
        "gpu.intel.com/device-id.0300-56c0.count", "node-role.kubernetes.io/control-plane",
        "node.kubernetes.io/not-ready", "karpenter.sh/disrupted", "cloud.google.com/gke-spot",
        "aws-node-termination-handler/spot-itn"}) {
    INFO(key);
    CHECK(is_known(Space::label_key, key));
  }
  for (const char* const key :
       {"nvidia.com/gpu.acme", "nvidia.com/mig-acme", "node-role.kubernetes.io/acme-training",
        "karpenter.sh/acme", "node.kubernetes.io/acme", "feature.node.kubernetes.io/pci-acme"}) {
    INFO(key);
    CHECK_FALSE(is_known(Space::label_key, key));
  }
  CHECK(label_rule("nvidia.com/gpu.product") == LabelRule::keep);
  CHECK(label_rule("nvidia.com/gpu.clique") == LabelRule::keep_key);
  for (const char* const name :
       {"nvidia.com/gpu", "nvidia.com/gpu.shared", "nvidia.com/mig-1g.10gb", "nvidia.com/pgpu",
        "nvidia.com/gpumem-percentage", "nvidia.com/GRID_T4-1Q", "nvidia.com/TU104GL_Tesla_T4",
        "amd.com/cpx_nps4", "gpu.intel.com/i915_monitoring", "hugepages-2Mi", "rdma/hca",
        "volcano.sh/vgpu-number", "aws.amazon.com/neuroncore", "habana.ai/gaudi"}) {
    INFO(name);
    CHECK(is_known(Space::resource, name));
  }
  for (const char* const name : {"nvidia.com/acme-gpu", "rdma/hca_acme", "hugepages-acme",
                                 "attachable-volumes-acme", "intel.com/sriov_acme"}) {
    INFO(name);
    CHECK_FALSE(is_known(Space::resource, name));
  }
}

TEST_CASE("redact: a renamed GPU stays one, and shared where it was") {
  const json node = json::parse(R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"},
      "status": {"capacity": {"nvidia.com/acme": "4", "nvidia.com/acme.shared": "8",
        "nvidia.com/acme-rdma": "2", "nvidia.com/mig-acme": "3", "nvidia.com/NVIDIA_ACME": "5",
        "cpu": "1"}}})");
  const std::vector<json> once = redacted({node});
  CHECK(once[0]["status"]["capacity"] == json::parse(R"({"nvidia.com/renamed-01": "4",
      "nvidia.com/renamed-01.shared": "8", "example.com/resource-01": "2",
      "nvidia.com/mig-value-002": "3", "nvidia.com/NVIDIA_value-001": "5", "cpu": "1"})"));
  CHECK(redacted(once) == once);
}

}  // namespace gpu::input::snapshot_redact_test
