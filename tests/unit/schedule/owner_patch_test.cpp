#include "schedule/owner_patch.hpp"

#include <catch2/catch.hpp>

#include "judge_make.hpp"

using namespace gpu;
using namespace gpu::schedule;

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
  const OwnerPatch patch = owner_patch(owner("Deployment", "train"), pod, tolerating(pod));
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
  const OwnerPatch patch = owner_patch(owner("StatefulSet", "train"), pod, tolerating(pod));
  CHECK(patch.command ==
        "kubectl patch statefulset train -n ml --patch-file train-patch.yaml\n"
        "kubectl delete pod train-0 -n ml");
}

TEST_CASE("a Job is made again, without what its controller added") {
  const Pod pod = owned("Job", "train");
  const OwnerPatch patch = owner_patch(owner("Job", "train"), pod, tolerating(pod));
  CHECK(patch.command.find("kubectl replace --force -f -") != std::string::npos);
  CHECK(patch.patch.find("controller-uid: null") != std::string::npos);
  CHECK(patch.note.find("cannot be changed") != std::string::npos);
  CHECK(patch.stops == std::vector<std::string>{"job/ml/train"});
}

TEST_CASE("the Job of a CronJob is what is made again") {
  const Pod pod = owned("Job", "nightly-123");
  CHECK(owner_patch(owner("CronJob", "nightly"), pod, tolerating(pod)).target == "job/nightly-123");
}

TEST_CASE("a bare pod takes more tolerations as it is, and nothing else") {
  Pod pod = owned("Job", "train");
  pod.owners.clear();
  const OwnerPatch more = owner_patch(owner("Pod", "train-0"), pod, tolerating(pod));
  CHECK(more.command == "kubectl patch pod train-0 -n ml --patch-file train-0-patch.yaml");
  CHECK(more.stops.empty());
  Pod moved = pod;
  moved.node_selector.set("zone", "a");
  const OwnerPatch again = owner_patch(owner("Pod", "train-0"), pod, moved);
  CHECK(again.command.find("replace --force") != std::string::npos);
  CHECK(again.stops == std::vector<std::string>{"pod/ml/train-0"});
}

TEST_CASE("of an owner of an unknown kind only the fields are told") {
  const Pod pod = owned("RayCluster", "ray");
  const OwnerPatch patch = owner_patch(owner("RayCluster", "ray"), pod, tolerating(pod));
  CHECK(patch.command.empty());
  CHECK(patch.note == "write this into the pod template of raycluster/ray");
}

TEST_CASE("names are quoted for the shell") {
  const Pod pod = owned("ReplicaSet", "x");
  const OwnerPatch patch = owner_patch(owner("Deployment", "a b"), pod, tolerating(pod));
  CHECK(patch.command == "kubectl patch deployment 'a b' -n ml --patch-file 'a b-patch.yaml'");
}
