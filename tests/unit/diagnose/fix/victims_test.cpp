#include "diagnose/fix/victims.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace fix_victims_test {

using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

Pod holder(const std::string& name, std::int64_t gpus, std::int32_t priority = 0) {
  Pod pod = make::running(name, "a", {}, gpus);
  pod.priority = priority;
  return pod;
}

/// Names of the pods that would be ended for a pod that asks for `wanted` of a node's GPUs.
std::vector<std::string> ended(const std::vector<Pod>& holders, std::int64_t wanted,
                               const std::set<std::string>& idle = {}, std::int64_t gpus = 8) {
  const Snapshot snapshot = make::cluster({make::node("a", gpus)}, holders);
  const Cluster cluster(snapshot);
  const Pod pod = make::waiting("p", wanted);
  const Verdict verdict = judge(cluster, pod);
  const NodeReasons reasons(cluster, pod, verdict);
  std::vector<std::string> names;
  for (const BoundPod* bound : victims_for(cluster, pod, 0, reasons, idle))
    names.push_back(bound->pod->name);
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("one pod that holds enough is better than several") {
  CHECK(ended({holder("one", 2), holder("two", 2), holder("big", 4)}, 4) == Names{"big"});
}

TEST_CASE("an idle pod is ended before a busy one") {
  CHECK(ended({holder("busy", 4), holder("idle", 4)}, 4, {"uid-idle"}) == Names{"idle"});
}

TEST_CASE("of two that would do the one of lower priority is ended") {
  CHECK(ended({holder("high", 4, 100), holder("low", 4, 1)}, 4) == Names{"low"});
}

TEST_CASE("no pod is ended that the rest can do without") {
  CHECK(ended({holder("one", 1), holder("two", 3), holder("three", 4)}, 7) ==
        Names{"three", "two"});
}

TEST_CASE("pods of the system, of nodes and of DaemonSets are left alone") {
  Pod system = holder("system", 4);
  system.ns = "kube-system";
  Pod daemon = holder("daemon", 4);
  daemon.owners = {
      {.kind = "DaemonSet", .name = "d", .uid = "d", .api_version = {}, .controller = true}};
  CHECK(ended({system, daemon}, 4).empty());
}

TEST_CASE("a pod that ends already frees nothing more") {
  Pod leaving = holder("leaving", 8);
  leaving.deleted = Time{std::chrono::seconds{1}};
  CHECK(ended({leaving}, 4).empty());
}

TEST_CASE("up to eight pods are ended for one, and never more") {
  std::vector<Pod> holders;
  for (const char name : std::string("abcdefghi")) holders.push_back(holder({name}, 1));
  CHECK(ended(holders, 8, {}, 9).size() == 8);
  CHECK(ended(holders, 9, {}, 9).empty());
}

}  // namespace fix_victims_test
