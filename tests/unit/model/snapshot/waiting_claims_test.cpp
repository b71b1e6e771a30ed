#include "model/snapshot/waiting_claims.hpp"

#include <catch2/catch.hpp>

#include "model/dra_make.hpp"

namespace snapshot_waiting_claims_test {

using namespace gpu;

namespace {

ResourceClaim asking(std::string name, std::string device_class, std::int64_t count) {
  ResourceClaim claim{.ns = "ml", .name = std::move(name)};
  claim.requests = {{.name = "gpu", .device_class = std::move(device_class), .count = count}};
  return claim;
}

Pod waiting(std::string name, std::vector<std::string> claims) {
  Pod pod = make::pod(std::move(name), "", 0);
  pod.claims = std::move(claims);
  return pod;
}

Snapshot cluster(const std::vector<Pod>& pods, std::vector<ResourceClaim> claims) {
  Snapshot snapshot = make::snapshot({}, pods);
  snapshot.claim_coverage = Coverage::whole;
  snapshot.slices = {make::slice("a", {make::card("gpu-0")})};
  snapshot.claims = std::move(claims);
  snapshot.device_classes = {
      {.name = "big-cards", .selectors = {"device.driver == 'gpu.nvidia.com'"}},
      {.name = "network", .selectors = {"device.driver == 'nic.example.com'"}}};
  return snapshot;
}

}  // namespace

TEST_CASE("pods that are not bound wait for the devices of their claims") {
  CHECK(waiting_in(cluster({waiting("x", {"a"}), waiting("y", {"b"})},
                           {asking("a", "gpu.nvidia.com", 2), asking("b", "big-cards", 1)})) ==
        WaitingSums{.pods = 2, .gpus = 3});
}

TEST_CASE("a claim that pods share is waited for once") {
  CHECK(waiting_in(cluster({waiting("x", {"a"}), waiting("y", {"a"})},
                           {asking("a", "big-cards", 2)})) == WaitingSums{.pods = 2, .gpus = 2});
}

TEST_CASE("what is allocated, bound, leaving, not made, or no GPU is not waited for") {
  ResourceClaim held = asking("held", "big-cards", 1);
  held.is_allocated = true;
  Pod bound = waiting("bound", {"a"});
  bound.node_name = "a";
  Pod leaving = waiting("leaving", {"a"});
  leaving.deleted = Time{};
  ResourceClaim admin = asking("watch", "big-cards", 1);
  admin.requests.front().admin_access = true;
  const Snapshot snapshot =
      cluster({bound, leaving, waiting("h", {"held"}), waiting("n", {"net"}),
               waiting("w", {"watch"}), waiting("z", {"not-made"})},
              {asking("a", "big-cards", 1), held, asking("net", "network", 4), admin});
  CHECK(waiting_in(snapshot) == WaitingSums{});
}

TEST_CASE("a pod that waits by request, too, is one pod") {
  Pod both = make::pod("x", "", 1);
  both.claims = {"a"};
  CHECK(waiting_in(cluster({both, make::pod("y", "", 4)}, {asking("a", "big-cards", 1)})) ==
        WaitingSums{.pods = 2, .gpus = 6});
}

TEST_CASE("without the claims that a waiting pod names, nobody knows who waits") {
  Snapshot snapshot = cluster({waiting("x", {"a"}), make::pod("y", "", 4)}, {});
  snapshot.claim_coverage = Coverage::none;
  CHECK_FALSE(waiting_in(snapshot));
  snapshot.pods.clear();
  CHECK(waiting_in(snapshot) == WaitingSums{.pods = 1, .gpus = 4});
  snapshot.waiting.reset();
  CHECK_FALSE(waiting_in(snapshot));
}

}  // namespace snapshot_waiting_claims_test
