#include <catch2/catch.hpp>

#include "manifest/kinds/made.hpp"

namespace gpu::manifest::test::kinds_pod_test {

TEST_CASE("a pod runs nvidia-smi by default, and asks for little beside its GPU") {
  GenOptions options;
  options.name = "check";
  const Generated pod = made("pod", options);
  REQUIRE(pod.documents.size() == 1);
  const Tree& object = pod.documents.front();
  CHECK(text_at(object, "apiVersion") == "v1");
  CHECK(text_at(object, "kind") == "Pod");
  CHECK(text_at(object, "spec.restartPolicy") == "Never");
  CHECK(text_at(object, "spec.containers[0].image") == "nvidia/cuda:12.6.3-base-ubuntu22.04");
  CHECK(text_at(object, "spec.containers[0].command") == "[nvidia-smi]");
  CHECK(text_at(object, "spec.containers[0].resources.requests") ==
        R"({cpu: "1", memory: 2Gi, nvidia.com/gpu: 1})");
  CHECK(text_at(object, "spec.volumes") == "-");
  CHECK(is_read_back(pod.documents));
}

TEST_CASE("a pod with an image of its own is sized as other work, and runs the image's command") {
  const Generated pod = made("pod", options_named("work"));
  const Tree& object = pod.documents.front();
  CHECK(text_at(object, "spec.containers[0].image") == "ghcr.io/acme/train:1.4");
  CHECK(text_at(object, "spec.containers[0].command") == "-");
  CHECK(text_at(object, "spec.containers[0].resources.requests.memory") == "64Gi");
  CHECK(text_at(object, "spec.volumes[0].emptyDir.medium") == "Memory");
}

TEST_CASE("a pod with a command alone runs it in the usual image") {
  GenOptions options;
  options.name = "look";
  options.command = {"nvidia-smi", "topo", "-m"};
  const Tree object = made("pod", options).documents.front();
  CHECK(text_at(object, "spec.containers[0].command") == "[nvidia-smi, topo, -m]");
  CHECK(text_at(object, "spec.containers[0].image") == "nvidia/cuda:12.6.3-base-ubuntu22.04");
}

TEST_CASE("a pod gets its GPU by a claim with --dra, and Kueue's label with --queue") {
  GenOptions options;
  options.name = "check";
  options.uses_dra = true;
  options.queue = "gpu";
  const Generated pod = made("pod", options);
  REQUIRE(pod.documents.size() == 2);
  CHECK(text_at(pod.documents.front(), "kind") == "ResourceClaimTemplate");
  CHECK(text_at(pod.documents.back(), "spec.containers[0].resources.limits") == "{memory: 2Gi}");
  CHECK(text_at(pod.documents.back(), "spec.resourceClaims[0].resourceClaimTemplateName") ==
        "check-gpu");
  CHECK(text_at(pod.documents.back(), "metadata.labels.kueue.x-k8s.io/queue-name") == "gpu");
  CHECK(is_read_back(pod.documents));
}

TEST_CASE("a pod's name is a DNS label, and contradictions are refused") {
  GenOptions options;
  options.name = "Check_1";
  CHECK(refusal("pod", options).find("is no valid name of the kind Pod") != std::string::npos);
  options.name = "check";
  options.mig = "1g.10gb";
  options.gpus = 2;
  CHECK(refusal("pod", options) == "--gpus and --mig exclude each other");
}

}  // namespace gpu::manifest::test::kinds_pod_test
