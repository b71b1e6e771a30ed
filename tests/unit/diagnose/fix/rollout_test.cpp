#include "diagnose/fix/rollout.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

Pod of_set(Pod pod, const std::string& set) {
  pod.owners = {
      {.kind = "ReplicaSet", .name = set, .uid = set, .api_version = {}, .controller = true}};
  return pod;
}

/// What is said of a new pod that asks for `wanted` GPUs, beside old ones that hold 4 of 8 each.
std::optional<Cause> surge(std::int64_t wanted, std::size_t old) {
  std::vector<Pod> pods;
  for (std::size_t i = 0; i < old; ++i)
    pods.push_back(of_set(make::running("m-1-" + std::to_string(i), "a", {}, 4), "m-1"));
  Snapshot snapshot = make::cluster({make::node("a", static_cast<std::int64_t>(4 * old))}, pods);
  for (const char* set : {"m-1", "m-2"})
    snapshot.controllers[set] = OwnerReference{
        .kind = "Deployment", .name = "m", .uid = "m", .api_version = {}, .controller = true};
  const Cluster cluster(snapshot);
  return rollout_surge(cluster, of_set(make::waiting("m-2-0", wanted), "m-2"));
}

}  // namespace

TEST_CASE("a rollout without room ends one old pod first, if the end of one is enough") {
  const auto cause = surge(4, 2);
  REQUIRE(cause);
  CHECK(cause->summary == "the old pods of deployment/m hold what the new one needs");
  REQUIRE(cause->remarks.size() == 1);
  CHECK_THAT(cause->remarks.front().text, Catch::Contains("(m-1-0 on a and 1 more)"));
  REQUIRE(cause->advice.size() == 1);
  CHECK(cause->advice.front().command.find("{\"maxSurge\":0,\"maxUnavailable\":1}") !=
        std::string::npos);
}

TEST_CASE("a new pod that needs the room of several old ones waits for all") {
  const auto cause = surge(8, 2);
  REQUIRE(cause);
  CHECK(cause->advice.front().command.find("Recreate") != std::string::npos);
}

TEST_CASE("one old pod is not called several") {
  const auto cause = surge(4, 1);
  REQUIRE(cause);
  CHECK(cause->summary == "the old pod of deployment/m holds what the new one needs");
}
