#include <catch2/catch.hpp>

#include "manifest/kinds/made.hpp"

namespace gpu::manifest::test::kinds_queue_test {
namespace {

GenOptions gpu_queue() {
  GenOptions options;
  options.name = "gpu";
  options.ns = "team-a";
  return options;
}

GpuNodes cards(std::string model, std::string product, std::int64_t units) {
  GpuNodes nodes;
  nodes.model = std::move(model);
  nodes.product = std::move(product);
  nodes.label = "nvidia.com/gpu.product";
  nodes.resource = "nvidia.com/gpu";
  nodes.nodes = 2;
  nodes.largest = units / 2;
  nodes.units = units;
  nodes.all_cpu = Quantity::of(units * 10);
  nodes.all_memory = Quantity::of(units * 100 * (std::int64_t{1} << 30));
  return nodes;
}

ClusterFacts two_models() {
  ClusterFacts facts;
  facts.is_known = true;
  facts.gpu_nodes = {cards("H100-80G", "NVIDIA-H100-80GB-HBM3", 16),
                     cards("L4-24G", "NVIDIA-L4", 8)};
  return facts;
}

const Tree& cluster_queue_of(const Generated& made) {
  return made.documents.at(made.documents.size() - 2);
}

constexpr const char* kGroup = "spec.resourceGroups[0].";

std::string in_group(const Generated& made, const char* path) {
  return text_at(cluster_queue_of(made), kGroup + std::string(path));
}

}  // namespace

TEST_CASE("a queue is flavors, a ClusterQueue of all namespaces, and a LocalQueue in one") {
  const Generated queue = made("queue", gpu_queue(), two_models());
  REQUIRE(queue.documents.size() == 4);
  for (const Tree& each : queue.documents)
    CHECK(text_at(each, "apiVersion") == "kueue.x-k8s.io/v1beta2");
  CHECK(text_at(queue.documents[0], "metadata") == "{name: gpu-h100-80g}");
  CHECK(text_at(queue.documents[0], "spec.nodeLabels") ==
        "{nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3}");
  CHECK(text_at(queue.documents[1], "metadata.name") == "gpu-l4-24g");
  CHECK(text_at(cluster_queue_of(queue), "metadata") == "{name: gpu}");
  CHECK(text_at(cluster_queue_of(queue), "spec.namespaceSelector") == "{}");
  CHECK(text_at(queue.documents[3], "metadata") == "{name: gpu, namespace: team-a}");
  CHECK(text_at(queue.documents[3], "spec.clusterQueue") == "gpu");
  CHECK(is_read_back(queue.documents));
}

TEST_CASE("a queue covers cpu and memory too, in the order of its flavors") {
  const Generated queue = made("queue", gpu_queue(), two_models());
  CHECK(in_group(queue, "coveredResources") == "[cpu, memory, nvidia.com/gpu]");
  CHECK(in_group(queue, "flavors[0].resources[0]") == R"({name: cpu, nominalQuota: "160"})");
  CHECK(in_group(queue, "flavors[0].resources[1]") == "{name: memory, nominalQuota: 1600Gi}");
  CHECK(in_group(queue, "flavors[0].resources[2]") == "{name: nvidia.com/gpu, nominalQuota: 16}");
  CHECK(in_group(queue, "flavors[1].resources[2].nominalQuota") == "8");
}

TEST_CASE("--gpus is a part of the nodes of one model, with its share of cpu and memory") {
  GenOptions options = gpu_queue();
  options.gpus = 4;
  CHECK(refusal("queue", options, two_models()).find("there are several: H100-80G, L4-24G") !=
        std::string::npos);
  options.gpu_models = {"H100"};
  const Generated queue = made("queue", options, two_models());
  REQUIRE(queue.documents.size() == 3);
  CHECK(in_group(queue, "flavors[0].resources[0].nominalQuota") == R"("40")");
  CHECK(in_group(queue, "flavors[0].resources[1].nominalQuota") == "400Gi");
  CHECK(in_group(queue, "flavors[0].resources[2].nominalQuota") == "4");
  options.gpus = 32;
  const Generated more = made("queue", options, two_models());
  CHECK(says(more, "fewer than the 32"));
  CHECK(in_group(more, "flavors[0].resources[0].nominalQuota") == R"("160")");
}

TEST_CASE("taints that all nodes of a flavor have are said to Kueue, but for that of GPUs") {
  ClusterFacts facts = two_models();
  facts.gpu_nodes.resize(1);
  const auto seen = [](const char* key, const char* value, std::int64_t nodes) {
    return SeenTaint{.taint = {.key = key, .value = value, .effect = "NoSchedule", .added = {}},
                     .nodes = nodes};
  };
  facts.gpu_nodes[0].taints = {seen("nvidia.com/gpu", "present", 2), seen("team", "vision", 2),
                               seen("maintenance", "", 1)};
  const Tree flavor = made("queue", gpu_queue(), facts).documents.front();
  CHECK(text_at(flavor, "spec.nodeTaints") == "[{key: team, value: vision, effect: NoSchedule}]");
  CHECK(text_at(flavor, "spec.tolerations[0]") ==
        "{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}");
}

TEST_CASE("nodes without a label of their model make a flavor of any node, with a warning") {
  ClusterFacts facts = two_models();
  facts.gpu_nodes = {cards("", "", 8)};
  facts.gpu_nodes[0].label.clear();
  const Generated queue = made("queue", gpu_queue(), facts);
  CHECK(text_at(queue.documents[0], "metadata.name") == "gpu");
  CHECK(text_at(queue.documents[0], "spec.nodeLabels") == "-");
  CHECK(says(queue, "no label of their model"));
}

TEST_CASE("without a cluster a queue needs --gpus, and gives what pods usually ask for") {
  GenOptions options = gpu_queue();
  CHECK(refusal("queue", options) == "how many GPUs the queue may give is not known");
  ClusterFacts to_come;
  to_come.is_to_come = true;
  CHECK(refusal("queue", options, to_come).empty());
  options.gpus = 16;
  options.gpu_models = {"L4"};
  const Generated queue = made("queue", options);
  CHECK(text_at(queue.documents[0], "spec.nodeLabels") == "{nvidia.com/gpu.product: NVIDIA-L4}");
  CHECK(in_group(queue, "flavors[0].resources[0].nominalQuota") == R"("128")");
  CHECK(in_group(queue, "flavors[0].resources[1].nominalQuota") == "1Ti");
  options.cpu = Quantity::of(20);
  options.memory = Quantity::parse("64Gi");
  CHECK(in_group(made("queue", options), "flavors[0].resources[0].nominalQuota") == R"("20")");
  options.gpu_models = {"A100"};
  CHECK(says(made("queue", options), "one of several labels"));
}

}  // namespace gpu::manifest::test::kinds_queue_test
