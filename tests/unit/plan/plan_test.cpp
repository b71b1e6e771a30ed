#include "plan/plan.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace plan_plan_test {

using Catch::Contains;
using namespace gpu;
using namespace gpu::plan;

namespace {

constexpr const char* kGpu = "nvidia.com/gpu";

/// A queue whose one flavor is of nodes with pool=h100.
Snapshot with_queue() {
  Snapshot snapshot =
      make::cluster({make::labelled("a", {{"pool", "h100"}, {"nodepool", "train"}}, 8)});
  SchedulingFacts& facts = snapshot.scheduling;
  facts.namespaces = {{.name = "ml"}};
  facts.local_queues = {{.ns = "ml", .name = "q", .cluster_queue = "cq"}};
  facts.resource_flavors = {{.name = "h100", .node_labels = {{"pool", "h100"}}}};
  facts.cluster_queues = {{.name = "cq", .namespace_selector = ObjectSelector{}}};
  facts.cluster_queues[0].quotas = {{.flavor = "h100",
                                     .resource = kGpu,
                                     .nominal = Quantity::of(8),
                                     .reserved = Quantity::of(0)}};
  for (const char* kind :
       {"workloads", "localqueues", "clusterqueues", "namespaces", "cohorts", "resourceflavors"})
    facts.coverages[kind] = Coverage::whole;
  return snapshot;
}

PlannedPod job(std::int64_t gpus, std::string queue) {
  PlannedPod made{.pod = make::waiting("train", gpus), .file = "x.yaml", .queue = std::move(queue)};
  made.pod.containers[0].limits = made.pod.containers[0].requests;
  made.pod.owners = {
      {.kind = "Job", .name = "train", .api_version = "batch/v1", .controller = true}};
  return made;
}

PlannedAnswers answers(Snapshot snapshot, std::vector<PlannedPod> pods) {
  PlannedObjects planned;
  planned.pods = std::move(pods);
  add_planned(planned, snapshot);
  const scheduler::Cluster cluster(snapshot);
  return explain_planned_objects(planned, cluster, {});
}

}  // namespace

TEST_CASE("a fix of a label that ends as the flavor's label does is kept") {
  PlannedPod train = job(2, "q");
  train.pod.node_selector = {{"nodepool", "tarin"}};
  const PlannedAnswers all = answers(with_queue(), {train});
  REQUIRE(all.explanations.size() == 1);
  REQUIRE(all.explanations[0].fixes.size() == 1);
  CHECK(all.explanations[0].fixes[0].edited_labels == std::vector<std::string>{"nodepool"});
}

TEST_CASE("a fix of the flavor's own label is dropped") {
  Snapshot snapshot = with_queue();
  snapshot.nodes[0].labels.set("pool", "h1000");
  const PlannedAnswers all = answers(snapshot, {job(2, "q")});
  CHECK(all.explanations[0].is_blocked);
  CHECK(all.explanations[0].fixes.empty());
}

TEST_CASE("planned pods are in the snapshot, wait, and know what was not judged") {
  Snapshot snapshot = with_queue();
  PlannedObjects planned;
  planned.pods = {job(2, ""), job(2, "")};
  planned.pods[1].count = 0;
  planned.unknown = {"trainjob/x"};
  planned.beside = {"resourcequota/team"};
  planned.namespaces = {{.name = "dev"}};
  const std::size_t gaps = snapshot.gaps.size();
  add_planned(planned, snapshot);
  REQUIRE(snapshot.pods.size() == 1);
  CHECK(snapshot.pods[0].uid == "x.yaml:0");
  CHECK(planned.pods[0].not_checked.back() == "what resourcequota/team of the files changes");
  CHECK(snapshot.gaps.size() == gaps + 1);
  CHECK(snapshot.scheduling.namespaces.size() == 2);
}

TEST_CASE("each template is answered, and how many of its pods would wait") {
  PlannedPod some = job(4, "");
  some.count = 3;
  PlannedPod none = job(4, "");
  none.count = 0;
  none.none_because = "replicas is 0";
  const PlannedAnswers all = answers(with_queue(), {some, none});
  REQUIRE(all.explanations.size() == 2);
  CHECK_THAT(all.explanations[0].summary, Contains("2 of 3 pods would start; the third: "));
  CHECK(all.explanations[1].summary == "it creates no pods: replicas is 0");
  CHECK(all.waiting == std::vector<std::int64_t>{1, 0});
}

TEST_CASE("what Kueue holds back takes nothing from what comes after it") {
  PlannedPod held = job(8, "q");
  held.count = 2;
  PlannedPod other = job(8, "");
  other.pod.owners[0].name = "other";
  const PlannedAnswers all = answers(with_queue(), {held, other});
  CHECK(all.explanations[0].code == diagnose::Code::held_by_queue);
  CHECK(all.waiting[0] == 2);
  CHECK_FALSE(all.explanations[1].is_blocked);
}

}  // namespace plan_plan_test
