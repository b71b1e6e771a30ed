#include "model/snapshot/workload.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "make.hpp"

namespace gpu::snapshot_workload_test {

using gpu::make::pod;
namespace {

OwnerReference controller(std::string kind, std::string name, std::string api_version) {
  return {std::move(kind), name, "uid-" + name, std::move(api_version), true};
}

}  // namespace

TEST_CASE("the table names each kind once, and how to read it") {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const WorkloadKind& kind : workload_kinds()) {
    INFO(kind.kind << " of " << kind.group);
    CHECK(seen.insert({kind.group, kind.plural}).second);
    CHECK(seen.insert({kind.group, kind.kind}).second);
    CHECK(kind.versions.starts_with('v'));
    CHECK(workload_kind(kind.kind, kind.group.empty() ? std::string("v1")
                                                      : std::string(kind.group) + "/v1") == &kind);
  }
}

TEST_CASE("a kind is found as an ownerReference writes it") {
  CHECK(workload_kind("Job", "batch/v1")->group == "batch");
  CHECK(workload_kind("Job", "batch.volcano.sh/v1alpha1")->group == "batch.volcano.sh");
  CHECK(workload_kind("MPIJob", "kubeflow.org/v2beta1") ==
        workload_kind("MPIJob", "kubeflow.org/v1"));
  CHECK(workload_kind("flyteworkflow", "flyte.lyft.com/v1alpha1")->kind == "FlyteWorkflow");
  CHECK(workload_kind("Pod", "v1")->plural == "pods");
  for (const auto& [kind, version] : {std::pair{"Node", "v1"},
                                      {"Service", "v1"},
                                      {"Job", "v1"},
                                      {"PodGroup", "scheduling.volcano.sh/v1beta1"},
                                      {"Workload", "kueue.x-k8s.io/v1beta1"},
                                      {"", ""}})
    CHECK(workload_kind(kind, version) == nullptr);
}

TEST_CASE("a kind is found as a person types it") {
  const auto plural_and_group = [](std::string_view name) {
    const WorkloadKind* const kind = workload_kind_named(name);
    return kind == nullptr ? std::string("none")
                           : std::string(kind->plural) + "/" + std::string(kind->group);
  };
  for (const char* name :
       {"job", "jobs", "Job", "JOBS", "jobs.batch", "job.batch", "jobs.v1.batch"})
    CHECK(plural_and_group(name) == "jobs/batch");
  for (const char* name :
       {"vcjob", "vj", "jobs.batch.volcano.sh", "jobs.v1alpha1.batch.volcano.sh"})
    CHECK(plural_and_group(name) == "jobs/batch.volcano.sh");
  CHECK(plural_and_group("deploy") == "deployments/apps");
  CHECK(plural_and_group("Deployment") == "deployments/apps");
  CHECK(plural_and_group("isvc") == "inferenceservices/serving.kserve.io");
  CHECK(plural_and_group("ksvc") == "services/serving.knative.dev");
  CHECK(plural_and_group("services.serving.knative.dev") == "services/serving.knative.dev");
  for (const char* name : {"service", "services", "", ".", "jobs.v2.batch", "jobs.apps", "node",
                           "deployments.", "cj cj"})
    CHECK(plural_and_group(name) ==
          (std::string_view(name) == "deployments." ? "deployments/apps" : "none"));
}

TEST_CASE("the top owner is as far up as the snapshot knows") {
  Pod web = pod("web-5d-x", "node-a", 1);
  web.uid = "uid-web-5d-x";
  web.owners = {{"ConfigMap", "c", "uid-c", "v1", false},
                controller("ReplicaSet", "web-5d", "apps/v1")};
  Snapshot snapshot;
  CHECK(top_owner(web, snapshot) == Owner{"ReplicaSet", "web-5d", "uid-web-5d", "apps/v1"});
  snapshot.controllers["uid-web-5d"] = controller("Deployment", "web", "apps/v1");
  CHECK(top_owner(web, snapshot) == Owner{"Deployment", "web", "uid-web", "apps/v1"});
  snapshot.controllers["uid-web"] = std::nullopt;
  CHECK(top_owner(web, snapshot).name == "web");
}

TEST_CASE("a pod that nobody controls, or its node alone, is its own owner") {
  Pod alone = pod("alone", "node-a", 1);
  alone.uid = "uid-alone";
  alone.owners = {{"ConfigMap", "c", "uid-c", "v1", false}};
  CHECK(top_owner(alone, {}) == Owner{"Pod", "alone", "uid-alone", "v1"});
  alone.owners = {controller("Node", "node-a", "v1")};
  CHECK(top_owner(alone, {}) == Owner{"Pod", "alone", "uid-alone", "v1"});
}

TEST_CASE("owners that own each other come to an end") {
  Pod odd = pod("odd", "node-a", 1);
  odd.owners = {controller("A", "a", "x/v1")};
  Snapshot snapshot;
  snapshot.controllers["uid-a"] = controller("B", "b", "x/v1");
  snapshot.controllers["uid-b"] = controller("A", "a", "x/v1");
  CHECK(top_owner(odd, snapshot).kind == "B");
}

}  // namespace gpu::snapshot_workload_test
