#include "diagnose/explain/explain_owner.hpp"

#include <catch2/catch.hpp>

#include "base/error.hpp"
#include "scheduler/cycle/judge_make.hpp"

namespace explain_explain_owner_test {

using Catch::Contains;
using namespace gpu;
using namespace gpu::diagnose;

namespace {

Pod owned(Pod pod) {
  pod.owners = {{.kind = "Job", .name = "train", .api_version = "batch/v1", .controller = true}};
  return pod;
}

std::vector<Explanation> answers(const Snapshot& snapshot, std::string ns = "ml",
                                 std::string name = "train") {
  return explain_owner(scheduler::Cluster(snapshot),
                       {*workload_kind_named("Job"), std::move(ns), std::move(name)}, {});
}

std::string help_of(const Snapshot& snapshot, std::string ns, std::string name) {
  try {
    answers(snapshot, std::move(ns), std::move(name));
  } catch (const Error& error) {
    return error.message() + " | " + error.help();
  }
  return {};
}

}  // namespace

TEST_CASE("pods of an owner with one reason are one answer, those that run another") {
  Pod first = owned(make::waiting("train-0", 8));
  Pod second = owned(make::waiting("train-1", 8));
  const Snapshot snapshot =
      make::cluster({make::node("a", 4)}, {first, second, owned(make::running("train-2", "a"))});
  const auto all = answers(snapshot);
  REQUIRE(all.size() == 2);
  CHECK(all[0].is_blocked);
  CHECK(all[0].names == std::vector<std::string>{"train-0", "train-1"});
  CHECK(all[1].summary == "1 of its 3 pods runs");
  CHECK(all[1].kind == "Job");
}

TEST_CASE("an owner that nothing tells of is an error with the nearest name") {
  const Snapshot snapshot =
      make::cluster({make::node("a", 4)}, {owned(make::running("train-2", "a"))});
  CHECK_THAT(help_of(snapshot, "ml", "trian"), Contains("a similar one is `train`"));
  CHECK_THAT(help_of(snapshot, "dev", "train"), Contains("a job of that name is in ml"));
  Pod other = owned(make::running("train-3", "a"));
  other.ns = "dev";
  const Snapshot two =
      make::cluster({make::node("a", 4)}, {owned(make::running("train-2", "a")), other});
  CHECK_THAT(help_of(two, "", "train"), Contains("2 jobs are named `train`"));
}

TEST_CASE("an owner whose pods may not be read is an error that says why, where that is known") {
  Snapshot snapshot = make::cluster({make::node("a", 4)});
  snapshot.pod_coverage = Coverage::none;
  const std::string ask = " | request the verbs get and list on pods in that namespace";
  CHECK(help_of(snapshot, "ml", "train") == "pods of the job `train` cannot be read" + ask);
  snapshot.gaps = {{.what = "pods cannot be listed", .why = "forbidden", .missing = Missing::pods}};
  CHECK(help_of(snapshot, "ml", "train") ==
        "pods of the job `train` cannot be read: forbidden" + ask);
}

TEST_CASE("owners that a name may mean are told with kind and namespace") {
  const Snapshot snapshot =
      make::cluster({make::node("a", 4)}, {owned(make::running("train-2", "a"))});
  CHECK(owners_named("", "train", snapshot) == std::vector<std::string>{"job/train -n ml"});
  CHECK(owners_named("dev", "train", snapshot).empty());
}

TEST_CASE("pods that run, start and have finished are counted in one sentence") {
  const auto told = [](const std::vector<std::string>& phases) {
    std::vector<Pod> pods;
    for (std::size_t i = 0; i < phases.size(); ++i) {
      pods.push_back(owned(make::running("train-" + std::to_string(i), "a")));
      pods.back().phase = phases[i];
    }
    const auto all = answers(make::cluster({make::node("a", 4)}, pods));
    return all.size() == 1 ? all.front().summary : std::to_string(all.size()) + " answers";
  };
  CHECK(told({"Running", "Running", "Running"}) == "its 3 pods run");
  CHECK(told({"Succeeded", "Succeeded"}) == "its 2 pods have finished");
  CHECK(told({"Running", "Succeeded", "Running"}) == "of its 3 pods 2 run and 1 has finished");
}

TEST_CASE("replicas that are missing count among an owner's pods, but not a Job's") {
  const auto told = [](const std::string& kind, std::optional<std::int64_t> wanted) {
    const WorkloadKind& known = *workload_kind_named(kind);
    const std::string api_version = std::string(known.group) + "/v1";
    Pod pod = make::running("train-0", "a");
    pod.owners = {{.kind = kind, .name = "train", .uid = "u1", .api_version = api_version}};
    pod.owners.front().controller = true;
    Snapshot snapshot = make::cluster({make::node("a", 4)}, {pod});
    snapshot.scheduling.workload_objects = {
        {.kind = kind, .api_version = api_version, .ns = "ml", .name = "train", .uid = "u1"}};
    snapshot.scheduling.workload_objects.front().wanted = wanted;
    snapshot.scheduling.events = {{.ns = "ml",
                                   .type = "Warning",
                                   .reason = "FailedCreate",
                                   .message = "exceeded quota: q",
                                   .kind = kind,
                                   .object = "train"}};
    const auto all = explain_owner(scheduler::Cluster(snapshot), {known, "ml", "train"}, {});
    CHECK(all.size() == 2);
    return all.back().summary;
  };
  CHECK(told("StatefulSet", 3) == "1 of its 3 pods runs");
  CHECK(told("StatefulSet", std::nullopt) == "its only pod runs");
  CHECK(told("Job", 3) == "its only pod runs");
}

TEST_CASE("pods of one code and of different reasons are answers of their own") {
  Pod small = owned(make::waiting("train-0", 8));
  Pod large = owned(make::waiting("train-1", 16));
  const auto all = answers(make::cluster({make::node("a", 4)}, {small, large}));
  REQUIRE(all.size() == 2);
  CHECK(all[0].code == all[1].code);
  CHECK(all[0].names == std::vector<std::string>{"train-0"});
}

}  // namespace explain_explain_owner_test
