#include "plan/existing_pods.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace plan_existing_pods_test {

using namespace gpu;
using namespace gpu::plan;

namespace {

Pod owned(std::string name, std::string phase, std::string kind = "Job") {
  Pod pod = make::running(std::move(name), "a");
  pod.phase = std::move(phase);
  pod.owners = {
      {.kind = std::move(kind), .name = "train", .api_version = "batch/v1", .controller = true}};
  return pod;
}

PlannedObjects planned(Pod pod) {
  pod.uid = "x.yaml:0";
  PlannedObjects all;
  all.pods = {{.pod = std::move(pod), .file = "x.yaml"}};
  return all;
}

std::string said(const Snapshot& snapshot, const PlannedObjects& all) {
  const auto remark = ExistingPods(snapshot, all).remark_on(all.pods.front().pod);
  return remark ? remark->text : "";
}

}  // namespace

TEST_CASE("pods of an object that exists already are counted, finished ones are not") {
  const PlannedObjects all = planned(owned("train", "Pending"));
  std::vector<Pod> pods = {owned("train-1", "Running"), owned("train-2", "Succeeded")};
  CHECK(said(make::cluster({make::node("a", 8)}, pods), all) ==
        "job/train exists already: its pod that runs or waits is counted beside these");
  pods.push_back(owned("train-3", "Pending"));
  CHECK(said(make::cluster({make::node("a", 8)}, pods), all) ==
        "job/train exists already: its 2 pods that run or wait are counted beside these");
}

TEST_CASE("what is planned does not exist already") {
  const PlannedObjects all = planned(owned("train", "Pending"));
  CHECK(said(make::cluster({make::node("a", 8)}, {all.pods.front().pod}), all).empty());
  CHECK(said(make::cluster({}, {owned("train-1", "Running", "JobSet")}), all).empty());
}

TEST_CASE("a pod of the same name is counted beside the planned one") {
  const PlannedObjects all = planned(make::waiting("p"));
  CHECK(said(make::cluster({make::node("a", 8)}, {make::running("p", "a")}), all) ==
        "the pod p exists already, and is counted beside it");
}

}  // namespace plan_existing_pods_test
