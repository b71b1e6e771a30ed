#include "diagnose/fix/rollout.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace fix_rollout_test {

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

TEST_CASE("the old pods are counted, and the first is named") {
  const auto which = [](std::size_t old) { return surge(4, old)->remarks.front().text; };
  CHECK_THAT(which(1), Catch::Contains("while the old one runs (m-1-0 on a), and"));
  CHECK_THAT(which(2), Catch::Contains("while the old ones run (m-1-0 on a and 1 more), and"));
  CHECK_THAT(which(3), Catch::Contains("while the old ones run (m-1-0 on a and 2 more), and"));
  CHECK(surge(4, 2)->nearest == "a, when m-1-0 has ended");
}

TEST_CASE("of more than 32 old pods it is not tried whether the end of one is enough") {
  const auto ends_one = [](std::size_t old) {
    return surge(4, old)->advice.front().command.find("RollingUpdate") != std::string::npos;
  };
  CHECK(ends_one(32));
  CHECK_FALSE(ends_one(33));
}

TEST_CASE("a rollout is not the reason where the end of all old pods is not enough") {
  CHECK_FALSE(surge(9, 2));
  CHECK_FALSE(surge(4, 0));
}

TEST_CASE("pods that end already, or are of another Deployment or namespace, are no old ones") {
  const auto is_surge = [](const Pod& old, const std::string& deployment) {
    Snapshot snapshot = make::cluster({make::node("a", 4)}, {old});
    for (const auto& [set, uid] :
         {std::pair{"m-1", deployment}, std::pair{"m-2", std::string("m")}})
      snapshot.controllers[set] = OwnerReference{
          .kind = "Deployment", .name = "m", .uid = uid, .api_version = {}, .controller = true};
    const Cluster cluster(snapshot);
    return rollout_surge(cluster, of_set(make::waiting("m-2-0", 4), "m-2")).has_value();
  };
  const Pod old = of_set(make::running("m-1-0", "a", {}, 4), "m-1");
  CHECK(is_surge(old, "m"));
  CHECK_FALSE(is_surge(old, "other"));
  Pod ends = old;
  ends.deleted = Time{};
  CHECK_FALSE(is_surge(ends, "m"));
  Pod elsewhere = old;
  elsewhere.ns = "dev";
  CHECK_FALSE(is_surge(elsewhere, "m"));
  CHECK_FALSE(is_surge(of_set(old, "m-2"), "m"));
  CHECK_FALSE(is_surge(make::running("bare", "a", {}, 4), "m"));
}

}  // namespace fix_rollout_test
