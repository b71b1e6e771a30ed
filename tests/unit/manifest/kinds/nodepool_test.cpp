#include <catch2/catch.hpp>

#include "manifest/kinds/made.hpp"

namespace gpu::manifest::test::kinds_nodepool_test {
namespace {

GenOptions pool(std::string model) {
  GenOptions options;
  options.name = "gpu";
  if (!model.empty()) options.gpu_models = {std::move(model)};
  return options;
}

Tree pool_object(const GenOptions& options) { return made("nodepool", options).documents.front(); }

constexpr const char* kRequirements = "spec.template.spec.requirements";

std::string requirement_at(const Tree& object, int index) {
  return text_at(object, kRequirements + ("[" + std::to_string(index) + "]"));
}

}  // namespace

TEST_CASE("a nodepool keeps other pods away, and removes nodes only when they are empty") {
  GenOptions options = pool("L4");
  options.gpus = 16;
  options.ns = "ml";
  const Generated made_pool = made("nodepool", options);
  const Tree& object = made_pool.documents.front();
  CHECK(text_at(object, "apiVersion") == "karpenter.sh/v1");
  CHECK(text_at(object, "metadata") == "{name: gpu}");
  CHECK(text_at(object, "spec.limits") == R"({nvidia.com/gpu: "16"})");
  CHECK(text_at(object, "spec.disruption") ==
        "{consolidationPolicy: WhenEmpty, consolidateAfter: 10m}");
  CHECK(text_at(object, "spec.template.spec.taints[0]") ==
        "{key: nvidia.com/gpu, effect: NoSchedule}");
  CHECK(text_at(object, "spec.template.spec.nodeClassRef") ==
        "{group: karpenter.k8s.aws, kind: EC2NodeClass, name: gpu}");
  CHECK(made_pool.notes.empty());
  CHECK(is_read_back(made_pool.documents));
}

TEST_CASE("a nodepool without --gpus has no limit, and that is said") {
  const Generated made_pool = made("nodepool", pool("L4"));
  CHECK(text_at(made_pool.documents.front(), "spec.limits") == "-");
  CHECK(says(made_pool, "nothing limits"));
}

TEST_CASE("nodes of a nodepool carry the label that --gpu-model of a job asks for") {
  CHECK(text_at(pool_object(pool("L4")), "spec.template.metadata.labels.nvidia.com/gpu.product") ==
        "NVIDIA-L4");
  CHECK(text_at(pool_object(pool("H100")),
                "spec.template.metadata.labels.nvidia.com/gpu.product") == "NVIDIA-H100-80GB-HBM3");
  const Generated unsure = made("nodepool", pool("A100"));
  CHECK(text_at(unsure.documents.front(), "spec.template.metadata") == "-");
  CHECK(says(unsure, "NVIDIA-A100-SXM4-40GB or NVIDIA-A100-SXM4-80GB"));
  CHECK(text_at(pool_object(pool("")), "spec.template.metadata") == "-");
}

TEST_CASE("EC2 instances are chosen by the name of the card, and its memory where that differs") {
  CHECK(requirement_at(pool_object(pool("L4")), 0) ==
        "{key: karpenter.k8s.aws/instance-gpu-name, operator: In, values: [l4]}");
  const Tree large = pool_object(pool("A100-80GB"));
  CHECK(requirement_at(large, 0) ==
        "{key: karpenter.k8s.aws/instance-gpu-name, operator: In, values: [a100]}");
  CHECK(requirement_at(large, 1) ==
        R"({key: karpenter.k8s.aws/instance-gpu-memory, operator: In, values: ["81920"]})");
  CHECK(requirement_at(pool_object(pool("RTXPRO6000")), 0).find("rtx-pro-server-6000") !=
        std::string::npos);
  CHECK(requirement_at(pool_object(pool("")), 0) ==
        "{key: karpenter.k8s.aws/instance-gpu-manufacturer, operator: In, values: [nvidia]}");
  CHECK(requirement_at(pool_object(pool("A100")), 1).find("capacity-type") != std::string::npos);
}

TEST_CASE("labels of EC2 are written for its own node class alone") {
  GenOptions options = pool("L4");
  options.node_class = "karpenter.azure.com/AKSNodeClass/large";
  options.uses_spot = true;
  const Generated made_pool = made("nodepool", options);
  CHECK(text_at(made_pool.documents.front(), "spec.template.spec.nodeClassRef") ==
        "{group: karpenter.azure.com, kind: AKSNodeClass, name: large}");
  CHECK(text_at(made_pool.documents.front(), kRequirements) ==
        "[{key: karpenter.sh/capacity-type, operator: In, values: [spot]}]");
  CHECK(says(made_pool, "karpenter.azure.com chooses GPU instances by"));
}

TEST_CASE("bad input of a nodepool") {
  GenOptions options = pool("L4");
  for (const char* bad : {"gpu", "a/b", "/b/c", "a//c", "a/b/", "a/b/c/d"}) {
    options.node_class = bad;
    CHECK(refusal("nodepool", options) == "`--node-class " + std::string(bad) + "` cannot be read");
  }
  options = pool("L4");
  options.gpu_models.emplace_back("T4");
  CHECK(refusal("nodepool", options) == "a nodepool has GPUs of one model");
  CHECK(refusal("nodepool", pool("H1000")) == "no GPU is known as `H1000`");
  CHECK(refusal("nodepool", pool("MI300X")) == "`MI300X` is no GPU of NVIDIA");
}

}  // namespace gpu::manifest::test::kinds_nodepool_test
