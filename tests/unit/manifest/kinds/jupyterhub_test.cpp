#include <catch2/catch.hpp>

#include "manifest/kinds/made.hpp"

namespace gpu::manifest::test::kinds_jupyterhub_test {
namespace {

GenOptions hub() {
  GenOptions options;
  options.name = "hub";
  return options;
}

GpuNodes cards(std::string model, std::string product) {
  GpuNodes nodes;
  nodes.model = std::move(model);
  nodes.product = std::move(product);
  nodes.label = "nvidia.com/gpu.product";
  nodes.resource = "nvidia.com/gpu";
  nodes.nodes = 2;
  nodes.largest = 4;
  nodes.units = 8;
  nodes.cpu = Quantity::of(64);
  nodes.memory = Quantity::of(std::int64_t{512} << 30);
  nodes.all_cpu = Quantity::of(128);
  nodes.all_memory = Quantity::of(std::int64_t{1} << 40);
  return nodes;
}

ClusterFacts two_models() {
  ClusterFacts facts;
  facts.is_known = true;
  facts.gpu_nodes = {cards("H100-80G", "NVIDIA-H100-80GB-HBM3"), cards("L4-24G", "NVIDIA-L4")};
  return facts;
}

std::string profile(const Generated& made, int index, const std::string& field) {
  return text_at(made.documents.front(),
                 "singleuser.profileList[" + std::to_string(index) + "]." + field);
}

std::string spawner(const Generated& made, int index, const std::string& field) {
  return profile(made, index, "kubespawner_override." + field);
}

std::string first_of(const GenOptions& options, const std::string& field) {
  return spawner(made("jupyterhub", options), 0, field);
}

}  // namespace

TEST_CASE("a hub has a profile for each GPU model, on nodes with it") {
  ClusterFacts facts = two_models();
  facts.gpu_nodes[1].taints = {
      {.taint = {.key = "team", .value = "vision", .effect = "NoSchedule", .added = {}},
       .nodes = 2}};
  const Generated values = made("jupyterhub", hub(), facts);
  CHECK(profile(values, 0, "display_name") == "H100-80G");
  CHECK(profile(values, 0, "slug") == "h100-80g");
  CHECK(spawner(values, 0, "node_selector") == "{nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3}");
  CHECK(spawner(values, 0, "tolerations") ==
        "[{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]");
  CHECK(profile(values, 1, "display_name") == "L4-24G");
  CHECK(spawner(values, 1, "node_selector") == "{nvidia.com/gpu.product: NVIDIA-L4}");
  CHECK(spawner(values, 1, "tolerations[0]") ==
        "{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}");
  CHECK(spawner(values, 1, "tolerations[1]") ==
        "{key: team, operator: Equal, value: vision, effect: NoSchedule}");
  CHECK(profile(values, 2, "slug") == "-");
  CHECK(is_read_back(values.documents));
}

TEST_CASE("--gpu-model leaves the profiles of other models out") {
  GenOptions options = hub();
  options.gpu_models = {"L4"};
  const Generated values = made("jupyterhub", options, two_models());
  CHECK(profile(values, 0, "display_name") == "L4-24G");
  CHECK(profile(values, 1, "display_name") == "-");
}

TEST_CASE("KubeSpawner takes 16G for 16 GiB, whole CPUs, and amounts of GPUs as text") {
  GenOptions options = hub();
  options.gpus = 2;
  options.memory = Quantity::parse("24Gi");
  options.cpu = Quantity::of(6);
  const Generated values = made("jupyterhub", options, two_models());
  CHECK(profile(values, 0, "display_name") == R"("2 x H100-80G")");
  CHECK(profile(values, 0, "slug") == "h100-80g-2");
  CHECK(profile(values, 0, "description") == R"("6 CPUs and 24Gi of memory")");
  CHECK(spawner(values, 0, "cpu_guarantee") == "6");
  CHECK(spawner(values, 0, "mem_guarantee") == R"("24G")");
  CHECK(spawner(values, 0, "mem_limit") == R"("24G")");
  CHECK(spawner(values, 0, "extra_resource_guarantees") == R"({nvidia.com/gpu: "2"})");
  CHECK(spawner(values, 0, "extra_resource_limits") == R"({nvidia.com/gpu: "2"})");
  options.memory = Quantity::parse("1536Mi");
  CHECK(first_of(options, "mem_limit") == R"("1536M")");
  options.memory = Quantity::parse("1Ti");
  CHECK(first_of(options, "mem_limit") == R"("1T")");
  options.memory = Quantity::parse("16G");
  CHECK(first_of(options, "mem_limit") == R"("15625000K")");
  options.cpu = Quantity::parse("1500m");
  CHECK(refusal("jupyterhub", options) == "`--cpu 1500m` is not a whole number");
}

TEST_CASE("MIG slices and shared cards are called so, and taken one at a time") {
  ClusterFacts facts = two_models();
  facts.gpu_nodes[0].model = "A100-1g.10gb";
  facts.gpu_nodes[0].single_mig_profile = "1g.10gb";
  facts.gpu_nodes[1].sharing.strategy = SharingStrategy::time_slicing;
  const Generated values = made("jupyterhub", hub(), facts);
  CHECK(profile(values, 0, "display_name") == "A100-1g.10gb");
  CHECK(profile(values, 1, "display_name") == "L4-24G shared");
  facts.gpu_nodes[0].model = "A100-80G";
  CHECK(profile(made("jupyterhub", hub(), facts), 0, "display_name") == "A100 1g.10gb");
}

TEST_CASE("without a cluster a hub offers a GPU of any model, or those that are asked for") {
  const Generated any = made("jupyterhub", hub());
  CHECK(profile(any, 0, "display_name") == "GPU");
  CHECK(spawner(any, 0, "node_selector") == "-");
  CHECK(spawner(any, 0, "extra_resource_limits") == R"({nvidia.com/gpu: "1"})");
  CHECK(is_read_back(any.documents));
  GenOptions options = hub();
  options.gpu_models = {"L4", "A100"};
  const Generated both = made("jupyterhub", options);
  CHECK(spawner(both, 0, "node_selector") == "{nvidia.com/gpu.product: NVIDIA-L4}");
  CHECK(spawner(both, 1, "node_affinity_required[0].matchExpressions[0].operator") == "In");
}

TEST_CASE("a hub has /dev/shm for all profiles, and stops notebooks that are idle") {
  GenOptions options = hub();
  options.shm = Quantity::parse("8Gi");
  options.storage = Quantity::parse("20Gi");
  options.storage_class = "fast";
  options.idle_seconds = 7200;
  options.ns = "jupyter";
  const Generated values = made("jupyterhub", options);
  const Tree& object = values.documents.front();
  CHECK(text_at(object, "singleuser.storage.extraVolumes.shm") ==
        "{name: shm, emptyDir: {medium: Memory, sizeLimit: 8Gi}}");
  CHECK(text_at(object, "singleuser.storage.extraVolumeMounts.shm") ==
        "{name: shm, mountPath: /dev/shm}");
  CHECK(text_at(object, "singleuser.storage.capacity") == "20Gi");
  CHECK(text_at(object, "singleuser.storage.dynamic") == "{storageClass: fast}");
  CHECK(text_at(object, "cull") == "{enabled: true, timeout: 7200}");
  CHECK(says(values, "helm upgrade --install hub jupyterhub"));
  CHECK(says(values, "--namespace jupyter"));
}

}  // namespace gpu::manifest::test::kinds_jupyterhub_test
