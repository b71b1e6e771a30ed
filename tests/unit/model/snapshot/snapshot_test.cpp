#include "model/snapshot/snapshot.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"

namespace snapshot_snapshot_test {

using namespace gpu;

TEST_CASE("pods add to their node's sums whether or not they are kept") {
  Snapshot snapshot;
  Fold fold(snapshot, [](const Pod& pod) { return pod.name == "kept"; });
  fold.add(make::pod("kept", "a", 2));
  fold.add(make::pod("other", "a", 3));
  fold.finish();
  CHECK(snapshot.pods.size() == 1);
  REQUIRE(sums_of(snapshot, "a") != nullptr);
  CHECK(amount_of(sums_of(snapshot, "a")->requested, "nvidia.com/gpu") == Quantity::of(5));
  CHECK(sums_of(snapshot, "a")->pods == 2);
  CHECK(sums_of(snapshot, "b") == nullptr);
}

TEST_CASE("unbound pods that ask for GPUs wait; others do not") {
  Pod leaving = make::pod("leaving", "", 4);
  leaving.deleted = Time{};
  const Snapshot snapshot = make::snapshot(
      {}, {make::pod("a", "", 4), make::pod("b", "", 1, "nvidia.com/mig-1g.10gb"),
           make::pod("cpu", "", 0), make::pod("mem", "", 9, "nvidia.com/gpumem"), leaving});
  CHECK(snapshot.waiting == WaitingSums{.pods = 2, .gpus = 5});
}

TEST_CASE("devices that a claim provides for a pod's extended resource are not the node's") {
  Pod pod = make::pod("x", "a", 2);
  pod.containers.front().requests.set("cpu", Quantity::of(1));
  pod.extended_claim = "x-extended-resources-abcde";
  pod.extended_resources = {{"main", "nvidia.com/gpu", "container-0-request-0"}};
  const Snapshot snapshot = make::snapshot({}, {pod, make::pod("y", "a", 1)});
  const NodeSums* sums = sums_of(snapshot, "a");
  REQUIRE(sums != nullptr);
  CHECK(amount_of(sums->requested, "nvidia.com/gpu") == Quantity::of(1));
  CHECK(amount_of(sums->requested, "cpu") == Quantity::of(1));
  CHECK(sums->pods == 2);
}

TEST_CASE("order does not depend on arrival") {
  const Snapshot snapshot = make::snapshot({make::node("b", 1), make::node("a", 1)},
                                           {make::pod("z", "a", 1), make::pod("y", "b", 1)});
  CHECK(snapshot.nodes.front().name == "a");
  CHECK(snapshot.pods.front().name == "y");
}

}  // namespace snapshot_snapshot_test
