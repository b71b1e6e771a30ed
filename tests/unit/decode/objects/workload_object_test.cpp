#include "decode/objects/workload_object.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "decode/error_of.hpp"

namespace gpu::decode::objects_workload_object_test {

using Catch::Contains;
using nlohmann::json;

namespace {

WorkloadObject read(const std::string& kind, const std::string& api_version,
                    const std::string& rest) {
  json object = json::parse("{" + rest + "}");
  object["metadata"] = {{"name", "train"}, {"namespace", "ml"}, {"uid", "u1"}};
  return workload_object_from_json(object, api_version, kind);
}

}  // namespace

TEST_CASE("a Deployment that is paused says so itself") {
  const WorkloadObject paused = read("Deployment", "apps/v1", R"("spec": {"paused": true})");
  REQUIRE(paused.conditions.size() == 1);
  CHECK(paused.conditions[0].type == "Paused");
  CHECK(paused.conditions[0].status == "True");
  CHECK(read("Deployment", "apps/v1", R"("spec": {"paused": false})").conditions.empty());
}

TEST_CASE("a Job's parallelism, suspension, conditions and template are read") {
  const WorkloadObject job = read("Job", "batch/v1", R"(
      "spec": {"parallelism": 2, "completions": 5, "suspend": true, "template": {
        "metadata": {"labels": {"app": "x"}},
        "spec": {"containers": [{"name": "c", "resources": {"limits": {"nvidia.com/gpu": "4"}}}]}}},
      "status": {"conditions": [{"type": "Suspended", "status": "True", "reason": "JobSuspended"}]})");
  CHECK(job.kind == "Job");
  CHECK(job.ns == "ml");
  CHECK(job.uid == "u1");
  CHECK(job.wanted == 2);
  CHECK(job.is_suspended);
  REQUIRE(job.conditions.size() == 1);
  CHECK(job.conditions[0].reason == "JobSuspended");
  REQUIRE(job.pod);
  CHECK(value_of(job.pod->labels, "app") == "x");
  CHECK(job.pod->containers.at(0).limits.contains("nvidia.com/gpu"));
}

TEST_CASE("replicas are those of the kind, and unknown where nothing says them") {
  CHECK(read("Deployment", "apps/v1", R"("spec": {"replicas": 0})").wanted == 0);
  CHECK(read("Deployment", "apps/v1", R"("spec": {})").wanted == std::nullopt);
  CHECK(read("DaemonSet", "apps/v1", R"("status": {"desiredNumberScheduled": 3})").wanted == 3);
  CHECK(read("JobSet", "jobset.x-k8s.io/v1alpha2", R"("spec": {"suspend": true})").is_suspended);
  CHECK(read("PyTorchJob", "kubeflow.org/v1", R"("spec": {"runPolicy": {"suspend": true}})")
            .is_suspended);
}

TEST_CASE("the phase of a kind without conditions becomes one") {
  const auto type = [](const WorkloadObject& object) { return object.conditions.at(0).type; };
  CHECK(type(read("Workflow", "argoproj.io/v1alpha1", R"("status": {"phase": "Succeeded"})")) ==
        "Succeeded");
  CHECK(type(read("Job", "batch.volcano.sh/v1alpha1",
                  R"("status": {"state": {"phase": "Aborted"}})")) == "Aborted");
  CHECK(type(read("SparkApplication", "sparkoperator.k8s.io/v1beta2",
                  R"("status": {"applicationState": {"state": "FAILED"}})")) == "FAILED");
  CHECK(read("Job", "batch/v1", R"("status": {"state": {"phase": "x"}})").conditions.empty());
}

TEST_CASE("of several templates none stands for all") {
  const std::string pod = R"({"template": {"spec": {"containers": [{"name": "c"}]}}})";
  CHECK_FALSE(
      read("PyTorchJob", "kubeflow.org/v1",
           R"("spec": {"pytorchReplicaSpecs": {"Master": )" + pod + R"(, "Worker": )" + pod + "}}")
          .pod);
  CHECK(read("CronJob", "batch/v1", R"("spec": {"jobTemplate": {"spec": )" + pod + "}}").pod);
}

TEST_CASE("what is not what it should be is named with its place") {
  CHECK_THAT(error_of([] { read("Job", "batch/v1", R"("spec": {"parallelism": "two"})"); }),
             Contains("Job ml/train: spec.parallelism"));
}

}  // namespace gpu::decode::objects_workload_object_test
