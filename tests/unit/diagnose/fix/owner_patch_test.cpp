#include "diagnose/fix/owner_patch.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace fix_owner_patch_test {

using namespace gpu;
using namespace gpu::diagnose;

namespace {

Pod owned(const std::string& kind, const std::string& name) {
  Pod pod = make::waiting("train-0", 1);
  pod.owners = {{.kind = kind, .name = name, .uid = "u", .api_version = {}, .controller = true}};
  pod.tolerations = {{.key = "nvidia.com/gpu", .op = "Exists", .effect = "NoSchedule"}};
  return pod;
}

Pod tolerating(Pod pod) {
  pod.tolerations.push_back({.key = "team", .value = "vision", .effect = "NoSchedule"});
  return pod;
}

Owner owner(std::string kind, std::string name) {
  return {std::move(kind), std::move(name), "u", {}};
}

}  // namespace

TEST_CASE("a Deployment's template is patched, with the tolerations that are there") {
  const Pod pod = owned("ReplicaSet", "train-1111");
  const OwnerPatch patch = owner_patch(owner("Deployment", "train"), pod, tolerating(pod), {});
  CHECK(patch.target == "deployment/train");
  CHECK(patch.command == "kubectl patch deployment train -n ml --patch-file train-patch.yaml");
  CHECK(patch.patch ==
        "spec:\n  template:\n    spec:\n      tolerations:\n"
        "      - {key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}    # already there\n"
        "      - {key: team, value: vision, effect: NoSchedule}    # new\n");
  CHECK(patch.stops == std::vector<std::string>{"deployment/ml/train"});
}

TEST_CASE("a StatefulSet's pod that was never ready has to be deleted, too") {
  const Pod pod = owned("StatefulSet", "train");
  const OwnerPatch patch = owner_patch(owner("StatefulSet", "train"), pod, tolerating(pod), {});
  CHECK(patch.command ==
        "kubectl patch statefulset train -n ml --patch-file train-patch.yaml\n"
        "kubectl delete pod train-0 -n ml");
}

TEST_CASE("a ReplicaSet leaves the pod that waits as it is: it is deleted") {
  const Pod pod = owned("ReplicaSet", "train");
  const OwnerPatch patch = owner_patch(owner("ReplicaSet", "train"), pod, tolerating(pod), {});
  CHECK(patch.command ==
        "kubectl patch replicaset train -n ml --patch-file train-patch.yaml\n"
        "kubectl delete pod train-0 -n ml");
  CHECK(patch.stops == std::vector<std::string>{"pod/ml/train-0"});
  Pod of_deployment = pod;
  of_deployment.labels.set("pod-template-hash", "1111");
  CHECK(owner_patch(owner("ReplicaSet", "train"), of_deployment, tolerating(of_deployment), {})
            .command.empty());
}

TEST_CASE("a Deployment ends an old pod first where a quota has no room for both") {
  const Pod pod = owned("ReplicaSet", "train-1111");
  const OwnerPatch patch = owner_patch(owner("Deployment", "train"), pod, tolerating(pod), "tight");
  CHECK(patch.patch.find("rollingUpdate: {maxSurge: 0, maxUnavailable: 1}") != std::string::npos);
  CHECK(patch.note.find("quota tight") != std::string::npos);
}

TEST_CASE("a Job is made again, without what its controller added") {
  Pod pod = owned("Job", "train");
  pod.labels.set("batch.kubernetes.io/controller-uid", "u");
  const OwnerPatch patch = owner_patch(owner("Job", "train"), pod, tolerating(pod), {});
  CHECK(patch.command.find("kubectl replace --force -f train.json") != std::string::npos);
  CHECK(patch.patch.find("controller-uid: null") != std::string::npos);
  CHECK(patch.note.find("cannot be changed") != std::string::npos);
  CHECK(patch.stops == std::vector<std::string>{"job/ml/train"});
}

TEST_CASE("a Job that people gave a selector keeps it") {
  Pod pod = owned("Job", "train");
  pod.labels.set("my", "job");
  const OwnerPatch patch = owner_patch(owner("Job", "train"), pod, tolerating(pod), {});
  CHECK(patch.patch.find("null") == std::string::npos);
}

TEST_CASE("the Job of a CronJob is what is made again") {
  const Pod pod = owned("Job", "nightly-123");
  CHECK(owner_patch(owner("CronJob", "nightly"), pod, tolerating(pod), {}).target ==
        "job/nightly-123");
}

TEST_CASE("a bare pod takes more tolerations as it is, and nothing else") {
  Pod pod = owned("Job", "train");
  pod.owners.clear();
  const OwnerPatch more = owner_patch(owner("Pod", "train-0"), pod, tolerating(pod), {});
  CHECK(more.command == "kubectl patch pod train-0 -n ml --patch-file train-0-patch.yaml");
  CHECK(more.stops.empty());
  Pod moved = pod;
  moved.node_selector.set("zone", "a");
  const OwnerPatch again = owner_patch(owner("Pod", "train-0"), pod, moved, {});
  CHECK(again.command.find("replace --force") != std::string::npos);
  CHECK(again.stops == std::vector<std::string>{"pod/ml/train-0"});
}

TEST_CASE("a pod whose rules the API server completed is not deleted by a command") {
  Pod pod = owned("Job", "train");
  pod.owners.clear();
  pod.placement.pod_anti_affinity = {{.topology_key = "zone", .match_label_keys = {"app"}}};
  Pod moved = pod;
  moved.node_selector.set("zone", "a");
  const OwnerPatch patch = owner_patch(owner("Pod", "train-0"), pod, moved, {});
  CHECK(patch.command.empty());
  CHECK(patch.stops.empty());
  CHECK(patch.patch.find("zone: a") != std::string::npos);
}

TEST_CASE("a spread rule becomes a wish, and is found by its key") {
  Pod pod = owned("Job", "train");
  pod.owners.clear();
  pod.placement.spread = {{.topology_key = "zone",
                           .when_unsatisfiable = "DoNotSchedule",
                           .min_domains = 2,
                           .match_label_keys = {"app"}}};
  Pod wishing = pod;
  wishing.placement.spread[0].when_unsatisfiable = "ScheduleAnyway";
  wishing.placement.spread[0].min_domains.reset();
  const OwnerPatch patch = owner_patch(owner("Pod", "train-0"), pod, wishing, {});
  CHECK(patch.patch ==
        "spec:\n  topologySpreadConstraints:\n  - topologyKey: zone\n"
        "    matchLabelKeys: null    # its labels are in the selector\n"
        "    whenUnsatisfiable: ScheduleAnyway    # was DoNotSchedule\n"
        "    minDomains: null    # was 2\n");
}

TEST_CASE("of an owner of an unknown kind only the fields are told") {
  const Pod pod = owned("RayCluster", "ray");
  const OwnerPatch patch = owner_patch(owner("RayCluster", "ray"), pod, tolerating(pod), {});
  CHECK(patch.command.empty());
  CHECK(
      patch.note ==
      "write this into the pod template of raycluster/ray; pods that exist stay as they are until "
      "they are recreated");
}

TEST_CASE("the template that a pod is of is told by its controller's labels") {
  const auto note = [](const std::string& kind, const std::string& version, StringMap labels) {
    Pod pod = owned(kind, "x");
    pod.labels = std::move(labels);
    const std::string all = owner_patch({kind, "x", "u", version}, pod, tolerating(pod), {}).note;
    return all.substr(0, all.find(';'));
  };
  CHECK(note("PyTorchJob", "kubeflow.org/v1", {{"training.kubeflow.org/replica-type", "worker"}}) ==
        "write this into spec.pytorchReplicaSpecs.Worker.template of pytorchjob/x");
  CHECK(note("MPIJob", "kubeflow.org/v2beta1", {{"training.kubeflow.org/job-role", "launcher"}}) ==
        "write this into spec.mpiReplicaSpecs.Launcher.template of mpijob/x");
  CHECK(note("JobSet", "jobset.x-k8s.io/v1alpha2",
             {{"jobset.sigs.k8s.io/replicatedjob-name", "w"}}) ==
        "write this into the pods' template of w in spec.replicatedJobs of jobset/x");
  CHECK(note("RayCluster", "ray.io/v1", {{"ray.io/node-type", "head"}}) ==
        "write this into spec.headGroupSpec.template of raycluster/x");
  CHECK(note("RayJob", "ray.io/v1", {{"ray.io/node-type", "worker"}, {"ray.io/group", "big"}}) ==
        "write this into the template of big in spec.rayClusterSpec.workerGroupSpecs of rayjob/x");
  CHECK(note("JobSet", "jobset.x-k8s.io/v1alpha2", {}) ==
        "write this into the pod template of jobset/x");
}

TEST_CASE("what the DaemonSet controller adds to its pods is not in the template") {
  Pod pod = owned("DaemonSet", "agent");
  pod.tolerations.push_back(
      {.key = "node.kubernetes.io/disk-pressure", .op = "Exists", .effect = "NoSchedule"});
  const std::string text = owner_patch(owner("DaemonSet", "agent"), pod, tolerating(pod), {}).patch;
  CHECK(text.find("disk-pressure") == std::string::npos);
  CHECK(text.find("nvidia.com/gpu, operator: Exists, effect: NoSchedule}    # already there") !=
        std::string::npos);
  pod.owners.front().kind = "StatefulSet";
  CHECK(owner_patch(owner("StatefulSet", "agent"), pod, tolerating(pod), {})
            .patch.find("disk-pressure") != std::string::npos);
}

TEST_CASE("names are quoted for the shell") {
  const Pod pod = owned("ReplicaSet", "x");
  const OwnerPatch patch = owner_patch(owner("Deployment", "a b"), pod, tolerating(pod), {});
  CHECK(patch.command == "kubectl patch deployment 'a b' -n ml --patch-file 'a b-patch.yaml'");
}

TEST_CASE("the next Job of a CronJob is as its template says") {
  const Pod pod = owned("Job", "c-1");
  CHECK(owner_patch(owner("CronJob", "c"), pod, tolerating(pod), {})
            .note.ends_with("cronjob/c makes the next Job from its own template: write the same "
                            "into that"));
  CHECK(owner_patch(owner("Job", "c-1"), pod, tolerating(pod), {}).note.ends_with("again"));
}

}  // namespace fix_owner_patch_test
