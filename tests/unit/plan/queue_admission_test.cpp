#include "plan/queue_admission.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace plan_queue_admission_test {

using namespace gpu;
using namespace gpu::plan;

namespace {

constexpr const char* kGpu = "nvidia.com/gpu";

Snapshot with_queue(std::string name, std::int64_t nominal) {
  Snapshot snapshot = make::cluster({});
  SchedulingFacts& facts = snapshot.scheduling;
  facts.local_queues = {{.ns = "ml", .name = std::move(name), .cluster_queue = "cq"}};
  facts.namespaces = {{.name = "ml"}};
  facts.resource_flavors = {{.name = "h100", .node_labels = {{"pool", "h100"}}}};
  facts.cluster_queues = {{.name = "cq", .strategy = "StrictFIFO"}};
  facts.cluster_queues[0].namespace_selector = ObjectSelector{};
  facts.cluster_queues[0].quotas = {{.flavor = "h100",
                                     .resource = kGpu,
                                     .nominal = Quantity::of(nominal),
                                     .reserved = Quantity::of(0)}};
  for (const char* kind :
       {"workloads", "localqueues", "clusterqueues", "namespaces", "cohorts", "resourceflavors"})
    facts.coverages[kind] = Coverage::whole;
  return snapshot;
}

PlannedPod planned(std::string kind, std::int64_t count, std::string queue = "q") {
  PlannedPod made{.pod = make::waiting("train", 2), .count = count, .queue = std::move(queue)};
  if (kind != "Pod") made.pod.owners = {{.kind = std::move(kind), .name = "train"}};
  return made;
}

}  // namespace

TEST_CASE("what names no queue gets the one that is called default, if Kueue knows its kind") {
  const Snapshot snapshot = with_queue("default", 8);
  const scheduler::Cluster cluster(snapshot);
  const QueueAdmission admission({}, cluster);
  CHECK(admission.queue_of(planned("Job", 1, "")) == "default");
  CHECK(admission.queue_of(planned("Deployment", 1, "")).empty());
  CHECK(admission.queue_of(planned("Deployment", 1, "q")) == "q");
  const Snapshot other = with_queue("q", 8);
  const scheduler::Cluster without(other);
  CHECK(QueueAdmission({}, without).queue_of(planned("Job", 1, "")).empty());
}

TEST_CASE("pods of a Deployment are admitted one by one, those of a Job together") {
  CHECK(QueueAdmission::is_queued_alone(planned("Deployment", 1).pod));
  CHECK(QueueAdmission::is_queued_alone(planned("Pod", 1).pod));
  CHECK_FALSE(QueueAdmission::is_queued_alone(planned("Job", 1).pod));
}

TEST_CASE("what is admitted takes quota from what comes after it") {
  const Snapshot snapshot = with_queue("q", 8);
  const scheduler::Cluster cluster(snapshot);
  QueueAdmission admission({}, cluster);
  const PlannedPod job = planned("Job", 3);
  const auto first = admission.of_object({&job, 1});
  CHECK_FALSE(first.hold);
  admission.take(first, job);
  const auto second = admission.of_object({&job, 1});
  REQUIRE(second.hold);
  admission.take(second, job);
  const PlannedPod small = planned("Job", 1);
  const auto behind = admission.of_object({&small, 1});
  REQUIRE(behind.hold);
  CHECK(behind.hold->nearest.starts_with("behind "));
}

TEST_CASE("of pods that are admitted one by one, the first that is held back is named") {
  const Snapshot snapshot = with_queue("q", 4);
  const scheduler::Cluster cluster(snapshot);
  const auto opinion = QueueAdmission({}, cluster).one_by_one(planned("Deployment", 3));
  CHECK(opinion.admitted == 2);
  REQUIRE(opinion.hold);
  CHECK(opinion.hold->reason.starts_with("2 of 3 pods would be admitted; the third: "));
}

TEST_CASE("files that create queues, too, leave nothing to say") {
  const Snapshot snapshot = with_queue("q", 4);
  const scheduler::Cluster cluster(snapshot);
  PlannedObjects all;
  all.beside = {"clusterqueue/cq"};
  const PlannedPod job = planned("Job", 3);
  const auto opinion = QueueAdmission(all, cluster).of_object({&job, 1});
  CHECK_FALSE(opinion.hold);
  REQUIRE(opinion.not_checked.size() == 1);
  CHECK(opinion.not_checked[0] ==
        "what Kueue does with it, for its queue q: the files make queues, too");
}

TEST_CASE("an admitted pod has the labels and tolerations of its flavor") {
  admission::GivenPlace place{.node_selector = {{"pool", "h100"}}, .flavors = {"h100"}};
  place.tolerations = {{.key = "gpu", .op = "Exists"}};
  const PlannedPod sent = QueueAdmission::placed(planned("Job", 1), place);
  CHECK(*sent.pod.node_selector.find("pool") == "h100");
  CHECK(sent.pod.tolerations.back().key == "gpu");
}

}  // namespace plan_queue_admission_test
