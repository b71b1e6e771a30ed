#include "plan/devices.hpp"

#include <catch2/catch.hpp>

#include "plan/claims.hpp"
#include "scheduler/cycle/judge_make.hpp"

namespace plan_devices_test {

using namespace gpu;
using namespace gpu::plan;
using namespace gpu::scheduler;

namespace {

/// A node with two devices of one class.
Snapshot two_devices() {
  Snapshot snapshot = make::cluster({make::node("a", 0)});
  snapshot.slice_coverage = snapshot.claim_coverage = Coverage::whole;
  ResourceSlice slice{.name = "a-gpu"};
  slice.driver = "gpu.example.com";
  slice.pool = "a";
  slice.generation = slice.slice_count = 1;
  slice.node_name = "a";
  slice.devices = {{.name = "gpu-0"}, {.name = "gpu-1"}};
  snapshot.slices = {slice};
  snapshot.device_classes = {{.name = "gpu", .selectors = {"device.driver == 'gpu.example.com'"}}};
  ClaimTemplate one{.ns = "ml", .name = "one"};
  one.requests = {{.name = "gpu", .device_class = "gpu"}};
  snapshot.scheduling.claim_templates = {one};
  return snapshot;
}

Pod with_claim(Snapshot& snapshot) {
  Pod pod = make::waiting("p");
  pod.claim_references = 1;
  pod.claim_slots = {{.name = "gpu", .claim_template = "one"}};
  make_claims(pod, snapshot);
  return pod;
}

Pod placed(const Pod& pod, const std::string& name) {
  Pod made = pod;
  made.name = name;
  made.uid = "uid-" + name;
  made.node_name = "a";
  return made;
}

}  // namespace

TEST_CASE("pods that start take devices, each its own, until none is left") {
  Snapshot snapshot = two_devices();
  const Pod pod = with_claim(snapshot);
  for (const char* const name : {"p-1", "p-2"}) {
    std::optional<std::vector<TakenDevices>> taken;
    {
      const Cluster cluster(snapshot);
      REQUIRE(judge(cluster, pod).fits());
      taken = devices_on(cluster, pod, 0);
    }
    REQUIRE(taken);
    REQUIRE(taken->size() == 1);
    CHECK(taken->front().devices.size() == 1);
    Pod started = placed(pod, name);
    take_devices(snapshot, started, *std::move(taken));
    CHECK(started.claims == std::vector<std::string>{std::string(name) + "-gpu"});
    snapshot.pods.push_back(started);
  }
  REQUIRE(snapshot.claims.size() == 3);
  const Cluster filled(snapshot);
  CHECK(filled.claim("ml", "p-1-gpu")->devices != filled.claim("ml", "p-2-gpu")->devices);
  CHECK_FALSE(filled.claim("ml", "p-gpu")->is_allocated);
  CHECK_FALSE(judge(Cluster(snapshot), pod).fits());
  CHECK_FALSE(devices_on(Cluster(snapshot), pod, 0));
}

TEST_CASE("a claim that pods share is taken once, and keeps them on its node") {
  Snapshot snapshot = two_devices();
  Pod pod = make::waiting("p");
  pod.claim_references = 1;
  pod.claim_slots = {{.name = "gpu", .claim = "shared"}};
  ResourceClaim shared{.ns = "ml", .name = "shared"};
  shared.requests = {{.name = "gpu", .device_class = "gpu"}};
  snapshot.claims = {shared};
  auto taken = devices_on(Cluster(snapshot), pod, 0);
  REQUIRE(taken);
  Pod started = placed(pod, "p-1");
  take_devices(snapshot, started, *std::move(taken));
  CHECK(snapshot.claims[0].is_allocated);
  CHECK(snapshot.claims[0].node_selector);
  CHECK(snapshot.claims[0].reserved_for.size() == 1);
  CHECK(devices_on(Cluster(snapshot), pod, 0)->empty());
}

TEST_CASE("devices that several nodes reach, or that are only looked at, are not known") {
  Snapshot snapshot = two_devices();
  const Pod pod = with_claim(snapshot);
  Snapshot looking = snapshot;
  looking.claims[0].requests[0].admin_access = true;
  CHECK_FALSE(devices_on(Cluster(looking), pod, 0));
  snapshot.slices[0].node_name.clear();
  snapshot.slices[0].is_on_all_nodes = snapshot.slices[0].is_on_many_nodes = true;
  CHECK_FALSE(devices_on(Cluster(snapshot), pod, 0));
}

}  // namespace plan_devices_test
