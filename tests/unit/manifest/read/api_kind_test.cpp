#include "manifest/read/api_kind.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace gpu::manifest::read_api_kind_test {
namespace {

std::string help_of(const std::string& kind, const std::string& api_version) {
  const auto mistake = kind_mistake({kind, api_version});
  return mistake ? mistake->help : "(none)";
}

}  // namespace

TEST_CASE("kinds that API servers have are no mistake") {
  for (const auto& [kind, version] : {std::pair("Pod", "v1"),
                                      {"Deployment", "apps/v1"},
                                      {"CronJob", "batch/v1"},
                                      {"HorizontalPodAutoscaler", "autoscaling/v2"},
                                      {"ResourceClaim", "resource.k8s.io/v1beta1"},
                                      {"RayJob", "ray.io/v1"},
                                      {"RayCronJob", "ray.io/v1"},
                                      {"Job", "batch.volcano.sh/v1alpha1"},
                                      {"Service", "serving.knative.dev/v1"},
                                      {"PodGroup", "scheduling.x-k8s.io/v1alpha1"},
                                      {"PodGroup", "scheduling.volcano.sh/v1beta1"},
                                      {"Profile", "kubeflow.org/v1"},
                                      {"StatefulSet", "apps.kruise.io/v1beta1"},
                                      {"NIMService", "apps.nvidia.com/v1alpha1"},
                                      {"WorkflowTemplate", "argoproj.io/v1alpha1"},
                                      {"Task", "tekton.dev/v1"},
                                      {"Workload", "kueue.x-k8s.io/v1beta1"},
                                      {"RayJob", "ray.io/v2"}}) {
    INFO(kind << " " << version);
    CHECK_FALSE(kind_mistake({kind, version}));
  }
}

TEST_CASE("a version that is gone, or that the kind never had, gets the one that is served") {
  CHECK(help_of("Deployment", "v1") == "write apiVersion: apps/v1");
  CHECK(help_of("Deployment", "extensions/v1beta1") == "write apiVersion: apps/v1");
  CHECK(help_of("Deployment", "apps/v1beta2") == "write apiVersion: apps/v1");
  CHECK(help_of("Deployment", "apps.k8s.io/v1") == "write apiVersion: apps/v1");
  CHECK(help_of("CronJob", "batch/v1beta1") == "write apiVersion: batch/v1");
  CHECK(help_of("Job", "v1") == "write apiVersion: batch/v1");
  CHECK(help_of("Pod", "apps/v1") == "write apiVersion: v1");
  CHECK(help_of("Pod", "") == "write apiVersion: v1");
  CHECK(help_of("PodDisruptionBudget", "policy/v1beta1") == "write apiVersion: policy/v1");
  CHECK(help_of("Ingress", "networking.k8s.io/v1beta1") ==
        "write apiVersion: networking.k8s.io/v1");
  CHECK(help_of("JobSet", "batch/v1") == "write apiVersion: jobset.x-k8s.io/v1alpha2");
  CHECK(help_of("RayCluster", "ray.io/v1beta1") == "write apiVersion: ray.io/v1");
  CHECK(help_of("TrainJob", "kubeflow.org/v1") ==
        "write apiVersion: trainer.kubeflow.org/v1alpha1");
  CHECK(help_of("PyTorchJob", "kubeflow.com/v1") == "write apiVersion: kubeflow.org/v1");
  CHECK(kind_mistake({"Deployment", "apps/v1beta2"})->problem ==
        "no API server has the kind Deployment in apps/v1beta2");
  CHECK(kind_mistake({"Pod", ""})->problem == "apiVersion: required");
}

TEST_CASE("a kind in another case, or with a slip, gets the nearest") {
  CHECK(help_of("pod", "v1") == "write kind: Pod");
  CHECK(help_of("deployment", "apps/v1") == "write kind: Deployment");
  CHECK(help_of("Deploymnet", "apps/v1") == "write kind: Deployment");
  CHECK(help_of("Deploymnet", "v1") == "write kind: Deployment, and apiVersion: apps/v1");
  CHECK(help_of("Cronjob", "batch/v1") == "write kind: CronJob");
  CHECK(help_of("PytorchJob", "kubeflow.org/v1") == "write kind: PyTorchJob");
  CHECK(help_of("Rayjob", "ray.io/v1") == "write kind: RayJob");
  CHECK(help_of("InferenceServise", "serving.kserve.io/v1beta1") == "write kind: InferenceService");
  CHECK(kind_mistake({"pod", "v1"})->field == KindMistake::Field::kind);
  CHECK(help_of("Gadget", "v1").empty());
}

TEST_CASE("a version of a known number and another stage is of no release") {
  const auto mpi = kind_mistake({"MPIJob", "kubeflow.org/v2"});
  REQUIRE(mpi);
  CHECK(mpi->problem == "no API server has the kind MPIJob in kubeflow.org/v2");
  CHECK(mpi->help == "write apiVersion: kubeflow.org/v2beta1");
  const auto service = kind_mistake({"InferenceService", "serving.kserve.io/v1"});
  REQUIRE(service);
  CHECK(service->help == "write apiVersion: serving.kserve.io/v1beta1");
}

TEST_CASE("a version that is newer than the known ones is not judged") {
  CHECK(unseen_version({"RayJob", "ray.io/v2"}) ==
        "whether the API server has ray.io/v2, which is not known here");
  CHECK(unseen_version({"RayJob", "ray.io/v1"}).empty());
  CHECK(unseen_version({"Gadget", "example.com/v1"}).empty());
}

}  // namespace gpu::manifest::read_api_kind_test
