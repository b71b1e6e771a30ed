#include "diagnose/lifecycle/newest_change.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace lifecycle_newest_change_test {

using namespace gpu;
using namespace gpu::diagnose;

namespace {

Time at(int second) { return Time{std::chrono::seconds{second}}; }

std::string newest(const Node& node, const std::vector<Pod>& pods = {}) {
  const Snapshot snapshot = make::cluster({node}, pods);
  const NewestChange change{scheduler::Cluster(snapshot)};
  return change.when ? std::to_string(change.when->time_since_epoch() / std::chrono::seconds{1}) +
                           " " + change.what
                     : change.what;
}

}  // namespace

TEST_CASE("a cluster that tells of no times has no newest change") {
  CHECK(newest(make::node("a", 1), {make::running("p", "a")}).empty());
}

TEST_CASE("the newest change of a node or of a pod on it is told; of two at once the first") {
  Node node = make::node("a", 1);
  node.created = at(10);
  CHECK(newest(node) == "10 node a was made");
  node.conditions.front().last_transition = at(10);
  CHECK(newest(node) == "10 node a was made");
  node.conditions.front().last_transition = at(11);
  CHECK(newest(node) == "11 node a turned Ready=True");
  node.taints = {{"team", "x", "NoSchedule", at(12)}};
  CHECK(newest(node) == "12 node a was tainted");
  node.taints.push_back({"node.kubernetes.io/unschedulable", "", "NoSchedule", at(13)});
  CHECK(newest(node) == "13 node a was cordoned");
  Pod pod = make::running("p", "a");
  pod.conditions = {{.type = "PodScheduled", .status = "True"}};
  pod.conditions.front().last_transition = at(14);
  CHECK(newest(node, {pod}) == "14 pod ml/p was bound to a");
  pod.started = at(15);
  CHECK(newest(node, {pod}) == "15 pod ml/p started");
}

TEST_CASE("of a pod's conditions only that it was bound is a change") {
  Pod pod = make::running("p", "a");
  pod.conditions = {{.type = "Ready", .status = "True"},
                    {.type = "PodScheduled", .status = "False"}};
  for (Condition& each : pod.conditions) each.last_transition = at(5);
  CHECK(newest(make::node("a", 1), {pod}).empty());
}

}  // namespace lifecycle_newest_change_test
