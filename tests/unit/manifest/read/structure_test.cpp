#include "manifest/read/structure.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace gpu::manifest::read_structure_test {
namespace {

using nlohmann::json;

std::string scheduler_of(const json& object, const std::string& version, const char* spec_at) {
  return scheduler_around(object, version, json::json_pointer(spec_at));
}

}  // namespace

TEST_CASE("a model with GPUs is a pod, placed by what stands around it") {
  const json object = json::parse(R"({"spec": {"predictor": {
      "nodeSelector": {"pool": "a"}, "minReplicas": 1,
      "model": {"resources": {"limits": {"nvidia.com/gpu": 2}}}}}})");
  const auto found = found_pods(object);
  REQUIRE(found.size() == 1);
  CHECK(found[0].found_at == "spec.predictor.model");
  CHECK(found[0].write_at == "spec.predictor");
  const json& spec = found[0].made.pod.at("spec");
  CHECK(spec.at("nodeSelector").at("pool") == "a");
  CHECK(spec.at("containers")[0].at("resources").at("limits").at("nvidia.com/gpu") == 2);
}

TEST_CASE("steps of a workflow have their own placement, or that of all") {
  const json object = json::parse(R"({"spec": {"tolerations": [{"key": "a"}], "templates": [
      {"name": "x", "container": {"resources": {"requests": {"amd.com/gpu": 1}}}},
      {"name": "y", "tolerations": [{"key": "b"}],
       "script": {"resources": {"limits": {"amd.com/gpu": 1}}}},
      {"name": "z", "container": {"resources": {"limits": {"cpu": 1}}}}]}})");
  const auto found = found_pods(object);
  REQUIRE(found.size() == 2);
  CHECK(found[0].made.pod.at("spec").at("tolerations")[0].at("key") == "a");
  CHECK(found[0].made.pod.at("/spec/containers/0/resources/limits/amd.com~1gpu"_json_pointer) == 1);
  CHECK(found[1].made.pod.at("spec").at("tolerations")[0].at("key") == "b");
  CHECK(found[1].write_at == "spec.templates[1]");
}

TEST_CASE("Spark's words and a bare gpu are requests of GPUs") {
  const json spark = json::parse(R"({"spec": {"executor": {"cores": 2, "instances": 3,
      "gpu": {"name": "nvidia.com/gpu", "quantity": 4}}}})");
  const auto found = found_pods(spark);
  REQUIRE(found.size() == 1);
  CHECK(found[0].instances == 3);
  CHECK(found[0].made.pod.at("/spec/containers/0/resources/requests/cpu"_json_pointer) == 2);
  const json bare = json::parse(R"({"spec": {"services": {"worker": {
      "resources": {"limits": {"gpu": "1"}},
      "extraPodSpec": {"tolerations": [{"key": "a"}]}}}}})");
  REQUIRE(found_pods(bare).size() == 1);
  CHECK(found_pods(bare)[0].made.pod.at(
            "/spec/containers/0/resources/limits/nvidia.com~1gpu"_json_pointer) == "1");
  CHECK(found_pods(bare)[0].made.pod.at("/spec/tolerations/0/key"_json_pointer) == "a");
}

TEST_CASE("resources of containers, of a pod as a whole, and of the status are not found") {
  const json object = json::parse(R"({"status": {"resources": {"limits": {"nvidia.com/gpu": 1}}},
      "spec": {"template": {"spec": {"resources": {"limits": {"nvidia.com/gpu": 1}},
      "containers": [{"resources": {"limits": {"nvidia.com/gpu": 1}}}]}}}})");
  CHECK(found_pods(object).empty());
}

TEST_CASE("the nearest schedulerName around a template counts, unless it has its own") {
  const json object = json::parse(R"({"spec": {"schedulerName": "volcano", "tasks": [
      {"template": {"spec": {}}}, {"template": {"spec": {"schedulerName": "own"}}}]}})");
  CHECK(scheduler_of(object, "batch.volcano.sh/v1alpha1", "/spec/tasks/0/template/spec") ==
        "volcano");
  CHECK(scheduler_of(object, "batch.volcano.sh/v1alpha1", "/spec/tasks/1/template/spec").empty());
  const json plain = json::parse(R"({"spec": {"tasks": [{"template": {"spec": {}}}]}})");
  CHECK(scheduler_of(plain, "batch.volcano.sh/v1alpha1", "/spec/tasks/0/template/spec") ==
        "volcano");
  CHECK(scheduler_of(plain, "batch/v1", "/spec/tasks/0/template/spec").empty());
  const json spark = json::parse(R"({"spec": {"batchScheduler": "yunikorn", "executor": {}}})");
  CHECK(scheduler_of(spark, "sparkoperator.k8s.io/v1beta2", "/spec/executor") == "yunikorn");
}

}  // namespace gpu::manifest::read_structure_test
