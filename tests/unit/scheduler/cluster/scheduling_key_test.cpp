#include "scheduler/cluster/scheduling_key.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace cluster_scheduling_key_test {

using namespace gpu;
using namespace gpu::scheduler;

TEST_CASE("names, images and owners do not tell two requests apart") {
  const Pod a = make::waiting("a", 2);
  Pod b = make::waiting("b", 2);
  b.containers[0].name = "other";
  b.containers[0].image = "cuda";
  b.owners = {{.kind = "Job"}};
  b.priority = 0;
  CHECK(same_scheduling_key(a, b));
  CHECK(scheduling_key_hash(a) == scheduling_key_hash(b));
}

TEST_CASE("what a filter looks at does") {
  const Pod a = make::waiting("a", 2);
  const auto differs = [&](auto change) {
    Pod b = a;
    change(b);
    return !same_scheduling_key(a, b);
  };
  CHECK(differs([](Pod& pod) { pod.ns = "web"; }));
  CHECK(differs([](Pod& pod) { pod.labels = {{"app", "x"}}; }));
  CHECK(differs([](Pod& pod) { pod.priority = 1; }));
  CHECK(differs([](Pod& pod) { pod.node_selector = {{"a", "b"}}; }));
  CHECK(differs([](Pod& pod) { pod.tolerations = {{.key = "k", .op = "Exists"}}; }));
  CHECK(differs([](Pod& pod) { pod.containers[0].requests.set("cpu", Quantity::of(1)); }));
  CHECK(differs([](Pod& pod) { pod.containers[0].ports = {{.host_port = 80}}; }));
  CHECK(differs([](Pod& pod) { pod.volumes = {{.name = "v", .claim = "c"}}; }));
  CHECK(differs([](Pod& pod) { pod.claim_slots = {{.name = "gpu", .claim = "c"}}; }));
  CHECK(differs([](Pod& pod) { pod.placement.spread = {{.topology_key = "zone"}}; }));
}

}  // namespace cluster_scheduling_key_test
