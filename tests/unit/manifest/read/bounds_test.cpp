#include <catch2/catch.hpp>
#include <string>

#include "manifest/read/manifest.hpp"

namespace gpu::manifest::read_bounds_test {
namespace {

/// "AT ONCE of IN ALL, RETRIES retries, RESTARTS restarts, DEADLINE"; "stays" for what does not
/// end.
std::string text_of(const RunBounds& bounds) {
  const std::string pods =
      std::to_string(bounds.pods_at_once) + " of " + std::to_string(bounds.pods_in_all);
  if (!bounds.ends) return pods + ", stays" + (bounds.stays_after_end ? " after its end" : "");
  std::string text =
      pods + ", " + (bounds.retries ? std::to_string(*bounds.retries) : "any") + " retries";
  if (bounds.restarts > 0) text += ", " + std::to_string(bounds.restarts) + " restarts";
  if (bounds.deadline) text += ", " + std::to_string(bounds.deadline->count()) + "s";
  return text;
}

const std::string kPod = R"({"spec": {"containers": [{"name": "main"}]}})";

/// Of the first template of an object of that kind, whose spec is `spec`; POD stands for a
/// template.
std::string bounds_of(const std::string& version, const std::string& kind, std::string spec) {
  for (std::size_t at = spec.find("POD"); at != std::string::npos; at = spec.find("POD"))
    spec.replace(at, 3, kPod);
  const PlannedObjects planned =
      read_manifest(R"({"apiVersion": ")" + version + R"(", "kind": ")" + kind +
                        R"(", "metadata": {"name": "x"}, "spec": )" + spec + "}",
                    "x.json", "default");
  return text_of((planned.pods.empty() ? planned.outlines : planned.pods).at(0).bounds);
}

std::string of_job(const std::string& fields) {
  return bounds_of("batch/v1", "Job", "{" + fields + R"("template": POD})");
}

}  // namespace

TEST_CASE("a Job has six retries unless it says otherwise, and runs its completions") {
  CHECK(of_job("") == "1 of 1, 6 retries");
  CHECK(of_job(R"("backoffLimit": 2, )") == "1 of 1, 2 retries");
  CHECK(of_job(R"("backoffLimit": 0, "activeDeadlineSeconds": 3600, )") ==
        "1 of 1, 0 retries, 3600s");
  CHECK(of_job(R"("parallelism": 4, )") == "4 of 4, 6 retries");
  CHECK(of_job(R"("parallelism": 4, "completions": 10, )") == "4 of 10, 6 retries");
  CHECK(of_job(R"("completions": 10, )") == "1 of 10, 6 retries");
  CHECK(of_job(R"("completions": 3, "parallelism": 9, )") == "3 of 3, 6 retries");
  CHECK(of_job(R"("completions": 4, "parallelism": 2, "backoffLimitPerIndex": 3, )") ==
        "2 of 4, 12 retries");
  CHECK_THROWS_WITH(of_job(R"("backoffLimit": -1, )"),
                    Catch::Contains("spec.backoffLimit: Invalid value"));
}

TEST_CASE("what is suspended is counted as once it is resumed") {
  CHECK(of_job(R"("suspend": true, "parallelism": 4, )") == "4 of 4, 6 retries");
  CHECK(of_job(R"("parallelism": 0, )") == "0 of 0, 0 retries");
}

TEST_CASE("a CronJob has the bounds of its Jobs, a JobSet those of all copies, and restarts") {
  CHECK(bounds_of("batch/v1", "CronJob",
                  R"({"jobTemplate": {"spec": {"backoffLimit": 1, "activeDeadlineSeconds": 60,
                      "template": POD}}})") == "1 of 1, 1 retries, 60s");
  CHECK(bounds_of("jobset.x-k8s.io/v1alpha2", "JobSet",
                  R"({"failurePolicy": {"maxRestarts": 3}, "replicatedJobs": [{"name": "w",
                      "replicas": 2, "template": {"spec": {"parallelism": 4, "completions": 8,
                      "backoffLimit": 1, "template": POD}}}]})") ==
        "8 of 16, 2 retries, 3 restarts");
}

TEST_CASE("Kubeflow's jobs have a run policy, and restart without end where it has no limit") {
  const std::string worker =
      R"("pytorchReplicaSpecs": {"Worker": {"replicas": 2, "template": POD}})";
  CHECK(bounds_of("kubeflow.org/v1", "PyTorchJob", "{" + worker + "}") == "2 of 2, any retries");
  CHECK(bounds_of("kubeflow.org/v1", "PyTorchJob",
                  R"({"runPolicy": {"backoffLimit": 3, "activeDeadlineSeconds": 7200}, )" + worker +
                      "}") == "2 of 2, 3 retries, 7200s");
  CHECK(bounds_of("kubeflow.org/v1", "PyTorchJob",
                  R"({"runPolicy": {"backoffLimit": 3}, "pytorchReplicaSpecs": {"Worker":
                      {"replicas": 2, "restartPolicy": "ExitCode", "template": POD}}})") ==
        "2 of 2, any retries");
  const PlannedObjects shared = read_manifest(
      R"({"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "metadata": {"name": "x"}, "spec":
          {"runPolicy": {"backoffLimit": 3}, "pytorchReplicaSpecs": {"Master": {"template": )" +
          kPod + R"(}, "Worker": {"restartPolicy": "Never", "template": )" + kPod + "}}}}",
      "x.json", "default");
  CHECK(shared.pods.at(0).bounds.shares_retries);
  CHECK_FALSE(shared.pods.at(1).bounds.shares_retries);
  CHECK(bounds_of("kubeflow.org/v1", "TFJob",
                  R"({"tfReplicaSpecs": {"Worker": {"replicas": 2, "template": POD}}})") ==
        "2 of 2, 0 retries");
  CHECK(
      bounds_of("kubeflow.org/v2beta1", "MPIJob",
                R"({"runPolicy": {"backoffLimit": 2}, "mpiReplicaSpecs": {"Worker": {"replicas": 2,
                      "template": POD}}})") == "2 of 2, 0 retries, 2 restarts");
}

TEST_CASE("a RayJob ends only if it takes its cluster down") {
  const std::string cluster = R"("rayClusterSpec": {"headGroupSpec": {"template": POD}})";
  CHECK(bounds_of("ray.io/v1", "RayJob", "{" + cluster + "}") == "1 of 1, stays after its end");
  CHECK(bounds_of("ray.io/v1", "RayJob",
                  R"({"shutdownAfterJobFinishes": true, "backoffLimit": 2,
                      "activeDeadlineSeconds": 60, )" +
                      cluster + "}") == "1 of 1, 0 retries, 2 restarts, 60s");
}

TEST_CASE("a Pod ends by its restart policy or its deadline") {
  const auto of_pod = [](const std::string& fields) {
    return bounds_of("v1", "Pod", "{" + fields + R"("containers": [{"name": "main"}]})");
  };
  CHECK(of_pod("") == "1 of 1, stays");
  CHECK(of_pod(R"("restartPolicy": "Never", )") == "1 of 1, 0 retries");
  CHECK(of_pod(R"("restartPolicy": "OnFailure", )") == "1 of 1, any retries");
  CHECK(of_pod(R"("activeDeadlineSeconds": 60, )") == "1 of 1, any retries, 60s");
}

TEST_CASE(
    "an Experiment runs several trials at one time, and has a bound only with a number of them") {
  const auto of_experiment = [](const std::string& fields) {
    return bounds_of("kubeflow.org/v1beta1", "Experiment",
                     "{" + fields + R"("trialTemplate": {"trialSpec": {"kind": "Job", "spec":
                         {"backoffLimit": 1, "activeDeadlineSeconds": 60, "template": POD}}}})");
  };
  CHECK(of_experiment("") == "3 of 3, stays");
  CHECK(of_experiment(R"("parallelTrialCount": 2, "maxTrialCount": 10, )") ==
        "2 of 10, 10 retries");
}

TEST_CASE("servers and clusters stay") {
  CHECK(bounds_of("apps/v1", "Deployment", R"({"replicas": 3, "selector": {}, "template": POD})") ==
        "3 of 3, stays");
  CHECK(bounds_of("ray.io/v1", "RayCluster", R"({"headGroupSpec": {"template": POD}})") ==
        "1 of 1, stays");
}

TEST_CASE("a TrainJob says how many nodes it trains on, and what each has") {
  const PlannedObjects planned = read_manifest(R"(
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: x}
spec:
  activeDeadlineSeconds: 60
  trainer:
    numNodes: 2
    resourcesPerNode: {limits: {nvidia.com/gpu: 8}}
  runtimePatches:
  - trainingRuntimeSpec: {template: {spec: {replicatedJobs: [{name: node, template: {spec: {
      template: {spec: {nodeSelector: {pool: h100}}}}}}]}}}
)",
                                               "x.yaml", "default");
  CHECK(planned.pods.empty());
  CHECK(planned.unknown == std::vector<std::string>{"trainjob/x"});
  REQUIRE(planned.outlines.size() == 1);
  const PlannedPod& outline = planned.outlines.front();
  CHECK(text_of(outline.bounds) == "2 of 2, any retries, 60s");
  CHECK(outline.pod.node_selector == StringMap{{"pool", "h100"}});
  CHECK(outline.pod.owners.at(0).kind == "TrainJob");
  CHECK(outline.pod.containers.at(0).limits.find("nvidia.com/gpu")->value() == 8);
}

TEST_CASE("an InferenceService by its model says what its server requests") {
  const PlannedObjects planned = read_manifest(R"(
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: {name: x}
spec:
  predictor:
    minReplicas: 2
    nodeSelector: {pool: l4}
    model: {modelFormat: {name: huggingface}, resources: {limits: {nvidia.com/gpu: 1}}}
)",
                                               "x.yaml", "default");
  REQUIRE(planned.outlines.size() == 1);
  CHECK(text_of(planned.outlines.front().bounds) == "2 of 2, stays");
  CHECK(planned.outlines.front().pod.node_selector == StringMap{{"pool", "l4"}});
}

}  // namespace gpu::manifest::read_bounds_test
