#include "plan/gang.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace plan_gang_test {

using namespace gpu;
using namespace gpu::plan;

namespace {

PlannedPod planned(std::string kind, std::int64_t count, std::string scheduler = "") {
  Pod pod = make::waiting("w", 1);
  pod.scheduler_name = std::move(scheduler);
  pod.owners = {
      {.kind = std::move(kind), .name = "x", .uid = {}, .api_version = "v1", .controller = true}};
  return {.pod = std::move(pod), .count = count, .file = "x.yaml"};
}

GangRule rule_of(std::vector<PlannedPod> templates, const Snapshot& snapshot = make::cluster({})) {
  return gang_rule(templates, scheduler::Cluster(snapshot));
}

}  // namespace

TEST_CASE("pods that work together start whole by a scheduler of groups, and in part by others") {
  CHECK(rule_of({planned("Job", 4)}).gang == Gang::none);
  CHECK(rule_of({planned("PyTorchJob", 1), planned("PyTorchJob", 3)}).gang == Gang::partial);
  const GangRule whole =
      rule_of({planned("PyTorchJob", 1, "volcano"), planned("PyTorchJob", 3, "volcano")});
  CHECK(whole.gang == Gang::whole);
  CHECK(whole.least == 4);
  CHECK(rule_of({planned("PyTorchJob", 1, "volcano")}).gang == Gang::none);
}

TEST_CASE("as many start together as the object says") {
  PlannedPod job = planned("Job", 6, "volcano");
  job.group.least = 4;
  CHECK(rule_of({job}).gang == Gang::whole);
  CHECK(rule_of({job}).least == 4);
  job.group.least = 1;
  CHECK(rule_of({job}).gang == Gang::none);
}

TEST_CASE("as many start together as the PodGroup of Volcano lacks") {
  Snapshot snapshot = make::cluster({make::node("a", 4)}, {[] {
                                      Pod pod = make::running("w0", "a", {}, 1);
                                      pod.annotations.set("scheduling.k8s.io/group-name", "pair");
                                      return pod;
                                    }()});
  snapshot.scheduling.volcano_pod_groups = {{.ns = "ml", .name = "pair", .min_member = 3}};
  snapshot.scheduling.volcano_queues = {{.name = "default"}};
  PlannedPod pod = planned("Pod", 1, "volcano");
  pod.pod.owners.clear();
  pod.pod.annotations.set("scheduling.k8s.io/group-name", "pair");
  CHECK(has_one_gang(pod, pod));
  const GangRule rule = rule_of({pod, pod}, snapshot);
  CHECK(rule.gang == Gang::whole);
  CHECK(rule.least == 2);
}

}  // namespace plan_gang_test
