#include <catch2/catch.hpp>

#include "manifest/kinds/made.hpp"

namespace gpu::manifest::test::kinds_raycluster_test {
namespace {

GenOptions ray_cluster() {
  GenOptions options;
  options.name = "lab";
  return options;
}

}  // namespace

TEST_CASE("a raycluster has all three counts, and says that it holds GPUs") {
  GenOptions options = ray_cluster();
  options.nodes = 2;
  const Generated cluster = made("raycluster", options);
  REQUIRE(cluster.documents.size() == 1);
  const Tree& object = cluster.documents.front();
  CHECK(text_at(object, "kind") == "RayCluster");
  CHECK(text_at(object, "spec.rayVersion") == R"("2.52.0")");
  CHECK(text_at(object, "spec.headGroupSpec.rayStartParams.num-cpus") == R"("0")");
  for (const char* count : {"replicas", "minReplicas", "maxReplicas"})
    CHECK(text_at(object, std::string("spec.workerGroupSpecs[0].") + count) == "2");
  CHECK(says(cluster, "hold their GPUs until"));
  CHECK(is_read_back(cluster.documents));
}

TEST_CASE("a raycluster without GPUs holds none") {
  GenOptions options = ray_cluster();
  options.is_cpu_only = true;
  CHECK_FALSE(says(made("raycluster", options), "GPUs"));
}

TEST_CASE("Kueue's label of a raycluster stands on the object, not on its pods") {
  GenOptions options = ray_cluster();
  options.queue = "gpu";
  const Tree object = made("raycluster", options).documents.front();
  CHECK(text_at(object, "metadata.labels.kueue.x-k8s.io/queue-name") == "gpu");
  CHECK(text_at(object, "spec.workerGroupSpecs[0].template.metadata") == "-");
}

TEST_CASE("a raycluster runs nothing of its own") {
  GenOptions options = ray_cluster();
  options.command = {"python", "x.py"};
  CHECK(refusal("raycluster", options) == "a raycluster runs nothing of its own");
}

TEST_CASE("names of rayclusters have at most 53 characters") {
  GenOptions options = ray_cluster();
  options.name = std::string(53, 'a');
  CHECK(refusal("raycluster", options).empty());
  options.name += 'a';
  CHECK(refusal("raycluster", options).find("at most 53") != std::string::npos);
}

}  // namespace gpu::manifest::test::kinds_raycluster_test
