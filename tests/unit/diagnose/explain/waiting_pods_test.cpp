#include "diagnose/explain/waiting_pods.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace explain_waiting_pods_test {

using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

Pod failed(const std::string& name, std::int64_t created, const std::string& owner = "rs") {
  Pod pod = make::running(name, "a", {}, 1);
  pod.phase = "Failed";
  pod.reason = "UnexpectedAdmissionError";
  pod.created = Time{std::chrono::seconds{created}};
  if (!owner.empty())
    pod.owners = {{.kind = "ReplicaSet", .name = owner, .uid = owner, .controller = true}};
  return pod;
}

std::vector<std::string> waiting(const std::vector<Pod>& pods, std::string_view ns = "") {
  const Snapshot snapshot = make::cluster({make::node("a", 8)}, pods);
  std::vector<std::string> names;
  for (const Pod* pod : waiting_pods(snapshot, ns)) names.push_back(pod->name);
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("of a controller's failed pods the newest stands for all") {
  CHECK(waiting({failed("old", 1), failed("new", 3), failed("middle", 2)}) == Names{"new"});
  CHECK(waiting({failed("a", 1, "one"), failed("b", 2, "two")}) == Names{"a", "b"});
  CHECK(waiting({failed("a", 1, ""), failed("b", 2, "")}) == Names{"a", "b"});
}

TEST_CASE("where the controller has another pod, the failed ones wait for nothing") {
  Pod live = failed("live", 5);
  live.phase = "Pending";
  CHECK(waiting({failed("old", 1), live}) == Names{"live"});
  live.phase = "Running";
  CHECK(waiting({failed("old", 1), live}).empty());
  live.deleted = Time{};
  CHECK(waiting({failed("old", 1), live}) == Names{"old"});
}

TEST_CASE("a pod that ran and failed does not wait, one that holds GPUs for nothing does") {
  Pod ran = failed("ran", 1);
  ran.reason = "Error";
  CHECK(waiting({ran}).empty());
  Pod idle = failed("idle", 1);
  idle.phase = "Running";
  idle.container_statuses = {{.name = "main", .waiting = "CrashLoopBackOff"}};
  CHECK(waiting({idle}) == Names{"idle"});
  idle.containers.front().requests = {};
  idle.containers.front().limits = {};
  CHECK(waiting({idle}).empty());
}

TEST_CASE("the pods of one namespace are its own") {
  CHECK(waiting({failed("a", 1)}, "ml") == Names{"a"});
  CHECK(waiting({failed("a", 1)}, "other").empty());
}

TEST_CASE("as many failed pods stand for others as their controller lacks") {
  Pod live = failed("live", 5);
  live.phase = "Running";
  Snapshot snapshot =
      make::cluster({make::node("a", 8)}, {failed("a", 1), failed("b", 2), failed("c", 3), live});
  snapshot.controlled["rs"].wanted = 3;
  std::vector<std::string> names;
  for (const Pod* pod : waiting_pods(snapshot, "")) names.push_back(pod->name);
  CHECK(names == Names{"b", "c"});
}

}  // namespace explain_waiting_pods_test
