#include "manifest/read/count_mistake.hpp"

#include <catch2/catch.hpp>

namespace gpu::manifest::read_count_mistake_test {
namespace {

using nlohmann::json;

/// "/spec/replicas: what is wrong"; empty for nothing.
std::string mistake(const char* kind, const char* api_version, const std::string& spec) {
  const auto found =
      mistake_in_counts(json::parse(R"({"spec": )" + spec + "}"), {kind, api_version});
  return found ? found->at.to_string() + ": " + found->problem : "";
}

std::string of_job(const std::string& field) {
  return mistake("Job", "batch/v1", "{" + field + "}");
}

}  // namespace

TEST_CASE("a count is whole, within its type, and not below what the API server takes") {
  CHECK(of_job(R"("parallelism": 3)").empty());
  CHECK(of_job(R"("parallelism": 0)").empty());
  CHECK(of_job(R"("parallelism": null)").empty());
  CHECK(of_job(R"("parallelism": -5)") ==
        "/spec/parallelism: Invalid value: -5: must be greater than or equal to 0");
  CHECK(of_job(R"("completions": "3")") ==
        R"(/spec/completions: expected a whole number, got "3")");
  CHECK(of_job(R"("backoffLimit": 1.5)") == "/spec/backoffLimit: expected a whole number, got 1.5");
  CHECK(of_job(R"("parallelism": 1e30)") ==
        "/spec/parallelism: expected a whole number, got 1e+30");
  CHECK(of_job(R"("parallelism": 2147483648)") ==
        "/spec/parallelism: 2147483648 is more than the field holds");
  CHECK(of_job(R"("parallelism": 18446744073709551615)") ==
        "/spec/parallelism: 18446744073709551615 is more than the field holds");
  CHECK(of_job(R"("activeDeadlineSeconds": 2147483648)").empty());
  CHECK(of_job(R"("activeDeadlineSeconds": -3)") ==
        "/spec/activeDeadlineSeconds: Invalid value: -3: must be greater than or equal to 0");
  CHECK(mistake("Pod", "v1", R"({"activeDeadlineSeconds": 0})") ==
        "/spec/activeDeadlineSeconds: Invalid value: 0: must be greater than or equal to 1");
}

TEST_CASE("counts are found where each kind has them") {
  CHECK(
      mistake("CronJob", "batch/v1", R"({"jobTemplate": {"spec": {"completions": -1}}})") ==
      "/spec/jobTemplate/spec/completions: Invalid value: -1: must be greater than or equal to 0");
  for (const char* const kind : {"Deployment", "ReplicaSet", "StatefulSet"})
    CHECK_FALSE(mistake(kind, "apps/v1", R"({"replicas": -3})").empty());
  CHECK_FALSE(mistake("ReplicationController", "v1", R"({"replicas": -3})").empty());
  CHECK(mistake("JobSet", "jobset.x-k8s.io/v1alpha2",
                R"({"replicatedJobs": [{}, {"replicas": "2"}]})") ==
        R"(/spec/replicatedJobs/1/replicas: expected a whole number, got "2")");
  CHECK_FALSE(mistake("JobSet", "jobset.x-k8s.io/v1alpha2",
                      R"({"replicatedJobs": [{"template": {"spec": {"parallelism": -1}}}]})")
                  .empty());
  CHECK_FALSE(mistake("PyTorchJob", "kubeflow.org/v1",
                      R"({"pytorchReplicaSpecs": {"Worker": {"replicas": -1}}})")
                  .empty());
  CHECK_FALSE(mistake("RayService", "ray.io/v1",
                      R"({"rayClusterConfig": {"workerGroupSpecs": [{"minReplicas": -1}]}})")
                  .empty());
  CHECK_FALSE(
      mistake("Job", "batch.volcano.sh/v1alpha1", R"({"tasks": [{"replicas": 1.5}]})").empty());
  CHECK_FALSE(mistake("InferenceService", "serving.kserve.io/v1beta1",
                      R"({"predictor": {"minReplicas": "two"}})")
                  .empty());
  CHECK_FALSE(
      mistake("TrainJob", "trainer.kubeflow.org/v1alpha1", R"({"trainer": {"numNodes": -1}})")
          .empty());
  CHECK_FALSE(mistake("LeaderWorkerSet", "leaderworkerset.x-k8s.io/v1",
                      R"({"leaderWorkerTemplate": {"size": -1}})")
                  .empty());
}

TEST_CASE("another group's kind of the same name has its own counts") {
  CHECK(mistake("Job", "batch.example/v1", R"({"parallelism": -5})").empty());
  CHECK(mistake("Deployment", "edge.example/v1", R"({"replicas": "many"})").empty());
  CHECK(mistake("Pod", "edge.example/v1", R"({"activeDeadlineSeconds": 0})").empty());
}

}  // namespace gpu::manifest::read_count_mistake_test
