#include "manifest/read/template_labels.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "manifest/read/manifest.hpp"

namespace gpu::manifest::read_template_labels_test {

namespace {

/// Of the pods of a manifest's only object, by the template's place in it.
std::vector<PlannedPod> pods_of(const std::string& kind, const std::string& version,
                                const std::string& spec) {
  std::string text = R"({"apiVersion": ")" + version + R"(", "kind": ")" + kind +
                     R"(", "metadata": {"name": "x"}, "spec": )" + spec + "}";
  const std::string made = R"({"spec": {"containers": [{"name": "c"}]}})";
  for (std::size_t at = text.find("T_"); at != std::string::npos; at = text.find("T_", at))
    text.replace(at, 2, made);
  return read_manifest(text, "x.json", "ml").pods;
}

/// The first template's label; empty where it has none.
std::string label(const std::vector<PlannedPod>& pods, const std::string& key, std::size_t at = 0) {
  return std::string(value_of(pods.at(at).pod.labels, key));
}

const std::string kApart =
    R"("affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution":
       [{"topologyKey": "zone", "labelSelector": SELECTOR}]}}, "containers": [{"name": "c"}])";

std::vector<PlannedPod> jobs_apart(const std::string& selector, const std::string& mode) {
  std::string spec = kApart;
  spec.replace(spec.find("SELECTOR"), 8, selector);
  return pods_of("Job", "batch/v1",
                 R"({"completionMode": ")" + mode + R"(", "template": {"spec": {)" + spec + "}}}");
}

}  // namespace

TEST_CASE("labels whose value only the controller knows have none before the pods exist") {
  const auto set = pods_of("JobSet", "jobset.x-k8s.io/v1alpha2",
                           R"({"replicatedJobs": [{"name": "w", "template": {"spec":
                               {"template": T_}}}]})");
  for (const char* name :
       {"replicatedjob-replicas", "global-replicas", "job-index", "job-global-index", "job-key",
        "group-name", "group-replicas", "job-group-index", "coordinator"})
    CHECK(label(set, std::string("jobset.sigs.k8s.io/") + name).empty());
  CHECK(label(set, "batch.kubernetes.io/job-name").empty());
  CHECK(label(set, "job-name").empty());
  const auto training = pods_of("PyTorchJob", "kubeflow.org/v1",
                                R"({"pytorchReplicaSpecs": {"Master": {"template": T_}}})");
  for (const char* name : {"replica-index", "operator-name", "job-role"})
    CHECK(label(training, std::string("training.kubeflow.org/") + name).empty());
  const auto groups = pods_of("LeaderWorkerSet", "leaderworkerset.x-k8s.io/v1",
                              R"({"leaderWorkerTemplate": {"workerTemplate": T_}})");
  for (const char* name :
       {"group-index", "group-key", "subgroup-index", "subgroup-key", "worker-index"})
    CHECK(label(groups, std::string("leaderworkerset.sigs.k8s.io/") + name).empty());
}

TEST_CASE("controllers' labels are those of the kind") {
  const auto job = pods_of("Job", "batch/v1", R"({"template": T_})");
  CHECK(label(job, "batch.kubernetes.io/job-name") == "x");
  CHECK(label(job, "job-name") == "x");
  CHECK_FALSE(label(job, "batch.kubernetes.io/controller-uid").empty());
  const auto own = pods_of("Job", "batch/v1", R"({"manualSelector": true, "template": T_})");
  CHECK(own.at(0).pod.labels.empty());
  CHECK_FALSE(
      label(pods_of("Deployment", "apps/v1", R"({"template": T_})"), "pod-template-hash").empty());
  CHECK_FALSE(label(pods_of("Rollout", "argoproj.io/v1alpha1", R"({"template": T_})"),
                    "rollouts-pod-template-hash")
                  .empty());
  const auto training = pods_of(
      "PyTorchJob", "kubeflow.org/v1",
      R"({"pytorchReplicaSpecs": {"Master": {"template": T_}, "Worker": {"template": T_}}})");
  CHECK(label(training, "training.kubeflow.org/job-name", 1) == "x");
  CHECK(label(training, "training.kubeflow.org/replica-type", 0) == "master");
  CHECK(label(training, "training.kubeflow.org/replica-type", 1) == "worker");
  const auto mpi =
      pods_of("MPIJob", "kubeflow.org/v2beta1",
              R"({"mpiReplicaSpecs": {"Launcher": {"template": T_}, "Worker": {"template": T_}}})");
  for (const std::size_t at : {0, 1})
    CHECK(label(mpi, "training.kubeflow.org/job-name", at) == "x");
  CHECK(label(mpi, "training.kubeflow.org/job-role", 0) == "launcher");
  CHECK(label(mpi, "training.kubeflow.org/job-role", 1) == "worker");
  const auto set = pods_of("JobSet", "jobset.x-k8s.io/v1alpha2",
                           R"({"replicatedJobs": [{"name": "w", "template": {"spec":
                               {"template": T_}}}]})");
  CHECK(label(set, "jobset.sigs.k8s.io/jobset-name") == "x");
  CHECK(label(set, "jobset.sigs.k8s.io/replicatedjob-name") == "w");
  CHECK(label(set, "jobset.sigs.k8s.io/restart-attempt") == "0");
  const auto ray = pods_of("RayCluster", "ray.io/v1",
                           R"({"headGroupSpec": {"template": T_}, "workerGroupSpecs":
                               [{"groupName": "big", "template": T_}]})");
  CHECK(label(ray, "ray.io/cluster", 0) == "x");
  CHECK(label(ray, "ray.io/node-type", 0) == "head");
  CHECK(label(ray, "ray.io/identifier", 0).empty());
  CHECK(label(ray, "ray.io/group", 0) == "headgroup");
  CHECK(label(ray, "ray.io/node-type", 1) == "worker");
  CHECK(label(ray, "ray.io/group", 1) == "big");
  for (const std::size_t at : {0, 1}) {
    CHECK(label(ray, "ray.io/is-ray-node", at) == "yes");
    CHECK(label(ray, "app.kubernetes.io/name", at) == "kuberay");
    CHECK(label(ray, "app.kubernetes.io/created-by", at) == "kuberay-operator");
  }
  const auto groups = pods_of("LeaderWorkerSet", "leaderworkerset.x-k8s.io/v1",
                              R"({"leaderWorkerTemplate": {"leaderTemplate": T_,
                                  "workerTemplate": T_}})");
  CHECK(label(groups, "leaderworkerset.sigs.k8s.io/name", 1) == "x");
  CHECK(label(groups, "leaderworkerset.sigs.k8s.io/worker-index", 0) == "0");
  CHECK(label(groups, "leaderworkerset.sigs.k8s.io/worker-index", 1).empty());
  // Another group's kind of that name.
  CHECK(pods_of("Job", "batch.volcano.sh/v1alpha1", R"({"tasks": [{"template": T_}]})")
            .at(0)
            .pod.labels.empty());
}

TEST_CASE("what the author writes stays") {
  const auto pods = read_manifest(
                        R"({"apiVersion": "ray.io/v1", "kind": "RayCluster", "metadata":
          {"name": "x"}, "spec": {"headGroupSpec": {"template": {"metadata": {"labels":
          {"app.kubernetes.io/name": "mine"}}, "spec": {"containers": [{"name": "c"}]}}}}})",
                        "x.json", "ml")
                        .pods;
  CHECK(label(pods, "app.kubernetes.io/name") == "mine");
}

TEST_CASE("a rule that selects by what each pod has of its own is not checked") {
  const auto by_name =
      jobs_apart(R"({"matchLabels": {"batch.kubernetes.io/job-name": "x"}})", "Indexed");
  CHECK(by_name.at(0).pod.placement.pod_anti_affinity.size() == 1);
  CHECK(by_name.at(0).not_checked.empty());
  const std::string by_index =
      R"({"matchLabels": {"batch.kubernetes.io/job-completion-index": "0"}})";
  const auto indexed = jobs_apart(by_index, "Indexed");
  CHECK(indexed.at(0).pod.placement.pod_anti_affinity.empty());
  CHECK(indexed.at(0).not_checked ==
        std::vector<std::string>{
            "the rule that selects pods by batch.kubernetes.io/job-completion-index, a label whose "
            "values only its controller knows"});
  // These have no such label.
  const auto plain = jobs_apart(by_index, "NonIndexed");
  CHECK(plain.at(0).pod.placement.pod_anti_affinity.size() == 1);
  CHECK(plain.at(0).not_checked.empty());
}

TEST_CASE("a CronJob's Jobs have names that are not known") {
  const auto pods = pods_of("CronJob", "batch/v1",
                            R"({"jobTemplate": {"spec": {"template": {"spec": {"containers":
        [{"name": "c"}], "topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "zone",
        "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {"matchExpressions":
        [{"key": "job-name", "operator": "In", "values": ["x-1"]}]}}]}}}}})");
  CHECK(pods.at(0).pod.placement.spread.empty());
  CHECK(pods.at(0).not_checked.size() == 1);
}

TEST_CASE("keys of an affinity become values of its selector") {
  const auto pods = pods_of("Deployment", "apps/v1",
                            R"({"template": {"metadata": {"labels": {"app": "a"}}, "spec":
        {"containers": [{"name": "c"}], "affinity": {"podAntiAffinity":
        {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "zone",
        "matchLabelKeys": ["pod-template-hash", "absent"], "mismatchLabelKeys": ["app"],
        "labelSelector": {}}]}}}}})");
  const auto& selector = pods.at(0).pod.placement.pod_anti_affinity.at(0).selector;
  REQUIRE(selector);
  const std::string hash = label(pods, "pod-template-hash");
  CHECK(selector->expressions ==
        std::vector<Requirement>{{"pod-template-hash", "In", {hash}}, {"app", "NotIn", {"a"}}});
}

}  // namespace gpu::manifest::read_template_labels_test
