#include "manifest/read/growth.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "manifest/read/manifest.hpp"

namespace gpu::manifest::read_growth_test {
namespace {

std::string filled(std::string text) {
  for (std::size_t at = text.find("POD"); at != std::string::npos; at = text.find("POD"))
    text.replace(at, 3, R"({"spec": {"containers": [{"name": "main"}]}})");
  return text;
}

/// "AT ONCE to MOST by FIELD" of each template; "any" for no limit, and "AT ONCE" where nothing
/// changes it.
std::string growth_of(const std::string& kind, const std::string& spec,
                      const std::string& annotations = "{}") {
  const PlannedObjects planned =
      read_manifest("{" + kind + R"(, "metadata": {"name": "x", "annotations": )" + annotations +
                        R"(}, "spec": )" + filled(spec) + "}",
                    "x.json", "default");
  std::string text;
  for (const auto& list : {planned.pods, planned.outlines})
    for (const PlannedPod& each : list) {
      text += (text.empty() ? "" : ", ") + std::to_string(each.bounds.pods_at_once);
      if (!each.bounds.growth) continue;
      const auto& most = each.bounds.growth->most;
      text += " to " + (most ? std::to_string(*most) : "any") + " by " + each.bounds.growth->by;
    }
  return text;
}

std::string of_ray(const std::string& group, const std::string& is_on = "true") {
  return growth_of(R"("apiVersion": "ray.io/v1", "kind": "RayCluster")",
                   R"({"enableInTreeAutoscaling": )" + is_on + R"(, "workerGroupSpecs": [{)" +
                       group + R"("template": POD}]})");
}

/// Of a server with that predictor, in the mode.
std::string of_server(const std::string& predictor, const std::string& annotations) {
  return growth_of(R"("apiVersion": "serving.kserve.io/v1beta1", "kind": "InferenceService")",
                   R"({"predictor": {)" + predictor + R"("containers": [{"name": "c"}]}})",
                   annotations);
}

const std::string kRaw = R"({"serving.kserve.io/deploymentMode": "RawDeployment"})";
const std::string kKnative = R"({"serving.kserve.io/deploymentMode": "Knative"})";

}  // namespace

TEST_CASE("Ray's autoscaler takes worker groups to their maxReplicas, of all hosts") {
  CHECK(of_ray(R"("replicas": 1, "maxReplicas": 4, )") == "1 to 4 by maxReplicas");
  CHECK(of_ray(R"("replicas": 1, "numOfHosts": 2, "maxReplicas": 4, )") == "2 to 8 by maxReplicas");
  CHECK(of_ray(R"("minReplicas": 2, "maxReplicas": 4, )") == "2 to 4 by maxReplicas");
  CHECK(of_ray(R"("replicas": 1, "minReplicas": 8, "maxReplicas": 4, )") ==
        "8 to 4 by maxReplicas");
  CHECK(of_ray(R"("replicas": 1, "maxReplicas": 4, )", "false") == "1");
  CHECK(of_ray(R"("replicas": 1, "maxReplicas": 4, )", R"("true")") == "1 to 4 by maxReplicas");
}

TEST_CASE("a worker group without replicas has none, and without maxReplicas no limit") {
  CHECK(of_ray("", "false") == "0");
  CHECK(of_ray("") == "0 to any by maxReplicas is not set");
  CHECK(of_ray(R"("replicas": 1, "maxReplicas": null, )") == "1 to any by maxReplicas is not set");
  CHECK(of_ray(R"("replicas": 1, "maxReplicas": 2147483647, )") ==
        "1 to any by maxReplicas sets no limit");
  // No API server takes these.
  for (const char* wrong : {"-1", R"("8")", "1.5", "true", "[8]", "18446744073709551615"})
    CHECK_THROWS_WITH(of_ray(R"("replicas": 1, "maxReplicas": )" + std::string(wrong) + ", "),
                      Catch::Contains("spec.workerGroupSpecs[0].maxReplicas: "));
}

TEST_CASE("RayJobs and RayServices have such clusters, too; heads do not grow") {
  const std::string cluster =
      R"({"enableInTreeAutoscaling": true, "headGroupSpec": {"template": POD},
          "workerGroupSpecs": [{"replicas": 1, "maxReplicas": 3, "template": POD}]})";
  CHECK(growth_of(R"("apiVersion": "ray.io/v1", "kind": "RayJob")",
                  R"({"rayClusterSpec": )" + cluster + "}") == "1, 1 to 3 by maxReplicas");
  CHECK(growth_of(R"("apiVersion": "ray.io/v1", "kind": "RayService")",
                  R"({"rayClusterConfig": )" + cluster + "}") == "1, 1 to 3 by maxReplicas");
}

TEST_CASE("KServe's own autoscaler has at least minReplicas; Knative has no limit of its own") {
  CHECK(of_server(R"("minReplicas": 2, "maxReplicas": 5, )", kRaw) == "2 to 5 by maxReplicas");
  CHECK(of_server(R"("minReplicas": 7, "maxReplicas": 5, )", kRaw) == "7 to 5 by maxReplicas");
  CHECK(of_server(R"("minReplicas": 2, )", kRaw) == "2 to 0 by minReplicas");
  CHECK(of_server(R"("minReplicas": 0, "maxReplicas": 0, )", kRaw) == "1 to 0 by minReplicas");
  CHECK(of_server(R"("maxReplicas": 5, )", kKnative) == "1 to 5 by maxReplicas");
  CHECK(of_server("", kKnative) == "1 to any by maxReplicas is not set");
  CHECK(of_server(R"("maxReplicas": 0, )", kKnative) == "1 to any by maxReplicas is not set");
  CHECK(of_server("", "{}") == "1 to any by maxReplicas is not set");
  CHECK(of_server("", R"({"autoscaling.knative.dev/max-scale": "3"})") ==
        "1 to 3 by autoscaling.knative.dev/max-scale");
}

TEST_CASE(
    "nothing scales a server whose autoscalerClass is none, and others may if it is external") {
  const auto of_class = [](const std::string& mode, const std::string& name) {
    return of_server(R"("minReplicas": 1, "maxReplicas": 4, )",
                     R"({"serving.kserve.io/deploymentMode": ")" + mode +
                         R"(", "serving.kserve.io/autoscalerClass": ")" + name + R"("})");
  };
  CHECK(of_class("Standard", "none") == "1");
  CHECK(of_class("Standard", "keda") == "1 to 4 by maxReplicas");
  CHECK(of_class("Standard", "external") == "1 to any by its autoscalerClass is external");
  CHECK(of_class("Serverless", "none") == "1 to 4 by maxReplicas");
}

TEST_CASE("the model of a server beside a transformer is not lost") {
  CHECK(growth_of(R"("apiVersion": "serving.kserve.io/v1beta1", "kind": "InferenceService")",
                  R"({"transformer": {"containers": [{"name": "c"}]}, "predictor": {
                      "minReplicas": 2, "maxReplicas": 4, "model": {"resources": {"limits":
                      {"nvidia.com/gpu": 1}}}}})",
                  kRaw) == "1 to 0 by minReplicas, 2 to 4 by maxReplicas");
}

TEST_CASE("an LLMInferenceService is scaled where it says so") {
  CHECK(growth_of(R"("apiVersion": "serving.kserve.io/v1alpha2", "kind": "LLMInferenceService")",
                  R"({"scaling": {"minReplicas": 2, "maxReplicas": 6},
                      "template": {"containers": [{"name": "main"}]}, "prefill": {"replicas": 3,
                      "template": {"containers": [{"name": "main"}]}}})") ==
        "3, 2 to 6 by maxReplicas");
  CHECK(growth_of(R"("apiVersion": "serving.kserve.io/v1alpha2", "kind": "LLMInferenceService")",
                  R"({"template": {"containers": [{"name": "main"}]},
                      "worker": {"containers": [{"name": "main"}]}})") ==
        "1, 1 to any by its parallelism decides on its workers");
}

TEST_CASE("Knative's services have the limit of their annotation") {
  const auto of_service = [](const std::string& annotations) {
    return growth_of(R"("apiVersion": "serving.knative.dev/v1", "kind": "Service")",
                     R"({"template": {"metadata": {"annotations": {)" + annotations +
                         R"(}}, "spec": {"containers": [{"name": "c"}]}}})");
  };
  const std::string key = R"("autoscaling.knative.dev/max-scale": )";
  CHECK(of_service(key + R"("5")") == "1 to 5 by autoscaling.knative.dev/max-scale");
  CHECK(of_service(R"("autoscaling.knative.dev/maxScale": "5")") ==
        "1 to 5 by autoscaling.knative.dev/max-scale");
  CHECK(of_service("") == "1 to any by autoscaling.knative.dev/max-scale is not set");
  CHECK(of_service(key + R"("0")") ==
        "1 to any by autoscaling.knative.dev/max-scale sets no limit");
  CHECK(of_service(key + R"("x")") ==
        "1 to any by autoscaling.knative.dev/max-scale is no whole number from 0 on");
  CHECK(of_service(key + R"("5", "autoscaling.knative.dev/initial-scale": "2")") ==
        "2 to 5 by autoscaling.knative.dev/max-scale");
}

TEST_CASE("an elastic PyTorchJob grows only where it has metrics") {
  const auto of_job = [](const std::string& policy) {
    return growth_of(
        R"("apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob")",
        R"({"elasticPolicy": {)" + policy +
            R"(}, "pytorchReplicaSpecs": {"Worker": {"replicas": 2, "template": POD}}})");
  };
  CHECK(of_job(R"("maxReplicas": 4)") == "2");
  CHECK(of_job(R"("maxReplicas": 4, "metrics": [])") == "2 to 4 by maxReplicas");
}

TEST_CASE("KEDA runs as many Jobs as a ScaledJob allows") {
  CHECK(
      growth_of(R"("apiVersion": "keda.sh/v1alpha1", "kind": "ScaledJob")",
                R"({"maxReplicaCount": 5, "jobTargetRef": {"parallelism": 2, "template": POD}})") ==
      "2 to 10 by maxReplicaCount");
  CHECK(growth_of(R"("apiVersion": "keda.sh/v1alpha1", "kind": "ScaledJob")",
                  R"({"jobTargetRef": {"template": POD}})") == "1 to 100 by maxReplicaCount");
}

TEST_CASE("autoscalers of other objects are read with their targets and limits") {
  const auto autoscaler = [](const std::string& head, const std::string& spec) {
    const PlannedObjects planned = read_manifest(
        "{" + head + R"(, "metadata": {"name": "x"}, "spec": )" + spec + "}", "x.json", "team");
    if (planned.autoscalers.empty()) return std::string("none");
    const PlannedAutoscaler& found = planned.autoscalers.front();
    return found.object + " of " + found.ns + " scales " + found.target_kind + " " +
           found.target_name + ": " + std::to_string(found.least) + " to " +
           (found.most ? std::to_string(*found.most) : "any") + ", " + found.by;
  };
  const std::string hpa = R"("apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler")";
  const std::string keda = R"("apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject")";
  const std::string to = R"("scaleTargetRef": {"kind": "Deployment", "name": "a"})";
  const std::string says = "horizontalpodautoscaler/x of team scales Deployment a: ";
  CHECK(autoscaler(hpa, "{" + to + R"(, "minReplicas": 2, "maxReplicas": 5})") ==
        says + "2 to 5, maxReplicas of horizontalpodautoscaler/x");
  CHECK(autoscaler(hpa, "{" + to + "}") ==
        says + "1 to any, maxReplicas of horizontalpodautoscaler/x is not set");
  CHECK(autoscaler(hpa, "{" + to + R"(, "maxReplicas": 0})") ==
        says + "1 to any, maxReplicas of horizontalpodautoscaler/x is 0");
  CHECK(autoscaler(hpa, R"({"maxReplicas": 3})") ==
        "horizontalpodautoscaler/x of team scales  : 1 to 3, maxReplicas of "
        "horizontalpodautoscaler/x");
  CHECK(autoscaler(R"("apiVersion": "v1", "kind": "ConfigMap")", "{}") == "none");
  CHECK(autoscaler(R"("apiVersion": "autoscaling.aibrix.ai/v1alpha1", "kind": "PodAutoscaler")",
                   "{" + to + R"(, "maxReplicas": 9})") ==
        "podautoscaler/x of team scales Deployment a: 1 to 9, maxReplicas of podautoscaler/x");
  CHECK(autoscaler(keda, R"({"scaleTargetRef": {"name": "a"}})") ==
        "scaledobject/x of team scales Deployment a: 0 to 100, maxReplicaCount of scaledobject/x");
  CHECK(autoscaler(keda, "{" + to + R"(, "maxReplicaCount": 3})") ==
        "scaledobject/x of team scales Deployment a: 0 to 3, maxReplicaCount of scaledobject/x");
}

TEST_CASE("a pod of a replica is what hosts and sizes make of it") {
  const auto per_replica = [](const std::string& kind, const std::string& spec) {
    const PlannedObjects planned =
        read_manifest("{" + kind + R"(, "metadata": {"name": "x"}, "spec": )" + filled(spec) + "}",
                      "x.json", "a");
    std::string text;
    for (const PlannedPod& each : planned.pods)
      text += each.bounds.pods_per_replica ? std::to_string(*each.bounds.pods_per_replica) : "-";
    return text;
  };
  CHECK(per_replica(R"("apiVersion": "apps/v1", "kind": "Deployment")",
                    R"({"replicas": 0, "template": POD})") == "1");
  CHECK(per_replica(R"("apiVersion": "leaderworkerset.x-k8s.io/v1", "kind": "LeaderWorkerSet")",
                    R"({"replicas": 2, "leaderWorkerTemplate": {"size": 4, "leaderTemplate": POD,
                        "workerTemplate": POD}})") == "13");
  CHECK(
      per_replica(R"("apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob")",
                  R"({"pytorchReplicaSpecs": {"Master": {"template": POD}, "Worker": {"replicas": 3,
                        "template": POD}}})") == "-1");
  CHECK(per_replica(R"("apiVersion": "batch/v1", "kind": "Job")", R"({"template": POD})") == "-");
}

}  // namespace gpu::manifest::read_growth_test
