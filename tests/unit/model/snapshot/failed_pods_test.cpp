#include "model/snapshot/failed_pods.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"
#include "model/snapshot/waiting_claims.hpp"

namespace snapshot_failed_pods_test {

using namespace gpu;

namespace {

Pod owned(std::string name, std::int64_t gpus, std::int64_t created) {
  Pod pod = make::pod(std::move(name), "gpu-1", gpus);
  pod.owners = {{.kind = "ReplicaSet", .name = "rs", .uid = "rs", .controller = true}};
  pod.created = Time{std::chrono::seconds{created}};
  return pod;
}

Pod refused(std::string name, std::int64_t gpus, std::int64_t created) {
  Pod pod = owned(std::move(name), gpus, created);
  pod.phase = "Failed";
  pod.reason = "UnexpectedAdmissionError";
  return pod;
}

WaitingSums waiting(const std::vector<Pod>& pods, std::optional<std::int64_t> wanted = {}) {
  Snapshot snapshot;
  snapshot.claim_coverage = Coverage::whole;
  snapshot.waiting.emplace();
  Fold fold(snapshot);
  for (const Pod& pod : pods) fold.add(pod);
  fold.finish();
  for (auto& [uid, each] : snapshot.controlled) each.wanted = wanted;
  return waiting_in(snapshot).value_or(WaitingSums{.pods = -1});
}

}  // namespace

TEST_CASE("refused pods of one controller are one pod that waits, the newest") {
  std::vector<Pod> pods;
  for (int i = 0; i < 24; ++i) pods.push_back(refused("p" + std::to_string(i), 1, i));
  pods.push_back(refused("newest", 2, 30));
  CHECK(waiting(pods) == WaitingSums{.pods = 1, .gpus = 2});
  pods.push_back(owned("replacement", 2, 31));
  CHECK(waiting(pods) == WaitingSums{});
}

TEST_CASE("as many stand for others as the controller lacks") {
  const std::vector<Pod> pods = {refused("a", 4, 1), refused("b", 1, 2), refused("c", 1, 3),
                                 owned("alive", 1, 4)};
  CHECK(waiting(pods, 1) == WaitingSums{});
  CHECK(waiting(pods, 2) == WaitingSums{.pods = 1, .gpus = 1});
  CHECK(waiting(pods, 3) == WaitingSums{.pods = 2, .gpus = 2});
  CHECK(waiting(pods, 9) == WaitingSums{.pods = 3, .gpus = 6});
  CHECK(waiting(pods, 0) == WaitingSums{});
}

TEST_CASE("a refused pod that nobody controls waits by itself") {
  Pod a = refused("a", 1, 1);
  Pod b = refused("b", 3, 1);
  a.owners.clear();
  b.owners.clear();
  a.uid = "a";
  b.uid = "b";
  CHECK(waiting({a, b}) == WaitingSums{.pods = 2, .gpus = 4});
  b.deleted = Time{};
  CHECK(waiting({a, b}) == WaitingSums{.pods = 1, .gpus = 1});
}

TEST_CASE("a pod that ran and failed waits for nothing, one that could not be started does") {
  Pod pod = refused("a", 1, 1);
  pod.reason = "Error";
  CHECK(waiting({pod}) == WaitingSums{});
  pod.container_statuses = {{.name = "main", .terminated = "StartError"}};
  CHECK(waiting({pod}) == WaitingSums{.pods = 1, .gpus = 1});
}

}  // namespace snapshot_failed_pods_test
