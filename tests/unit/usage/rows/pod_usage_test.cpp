#include "usage/rows/pod_usage.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"
#include "usage/rows/namespace_usage.hpp"

namespace rows_pod_usage_test {

using namespace gpu;
using namespace gpu::usage;

namespace {

Pod owned(std::string name, std::string node, std::int64_t gpus) {
  Pod pod = make::pod(std::move(name), std::move(node), gpus);
  pod.owners.push_back({.kind = "ReplicaSet",
                        .name = "web-1",
                        .uid = "rs",
                        .api_version = "apps/v1",
                        .controller = true});
  return pod;
}

/// A pool and holdings by hand: the claims of DRA need no ResourceSlice here.
struct ByHand {
  Snapshot snapshot =
      make::snapshot({make::node("a", 8)}, {make::pod("x", "a", 0), make::pod("y", "a", 0)});
  Inventory inventory{snapshot};
  ByHand() {
    const Pod* x = &snapshot.pods[0];
    const Pod* y = &snapshot.pods[1];
    inventory.holdings = {
        {.ns = "ml", .claim = "shared", .pods = {x, y}, .units = 2, .evidence = Evidence::claim},
        {.ns = "ml", .claim = "left", .pods = {}, .units = 1, .evidence = Evidence::claim}};
  }
};

}  // namespace

TEST_CASE("pods of one owner with the same units fold into one row") {
  Pod old = owned("w-1", "a", 1);
  old.created = parse_time("2026-10-01T00:00:00Z");
  Pod young = owned("w-2", "b", 1);
  young.created = parse_time("2026-11-01T00:00:00Z");
  const Snapshot snapshot =
      make::snapshot({make::node("a", 8), make::node("b", 8)}, {old, young, owned("w-3", "a", 2)});
  const Inventory inventory(snapshot);
  const auto groups = pod_groups(pod_usage(inventory), snapshot, Folding::owner);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].units == 2);
  CHECK(pods_in(groups[0]) + pods_in(groups[1]) == 3);
  const PodGroup& folded = pods_in(groups[0]) == 2 ? groups[0] : groups[1];
  CHECK(folded.units == 2);
  CHECK(folded.owner.name == "web-1");
  CHECK(nodes_of(folded) == std::vector<std::string>{"a", "b"});
  CHECK(oldest(folded) == old.created);
  CHECK(pod_groups(pod_usage(inventory), snapshot, Folding::none).size() == 3);
}

TEST_CASE("a pod without an owner never folds") {
  const Snapshot snapshot =
      make::snapshot({make::node("a", 8)}, {make::pod("x", "a", 1), make::pod("y", "a", 1)});
  const Inventory inventory(snapshot);
  CHECK(pod_groups(pod_usage(inventory), snapshot, Folding::owner).size() == 2);
}

TEST_CASE("cards come before slices, and most units first") {
  const Snapshot snapshot =
      make::snapshot({make::node("a", 8), make::node("m", 14, "nvidia.com/mig-1g.10gb")},
                     {make::pod("few", "a", 1), make::pod("many", "a", 4),
                      make::pod("slices", "m", 9, "nvidia.com/mig-1g.10gb")});
  const Inventory inventory(snapshot);
  const auto groups = pod_groups(pod_usage(inventory), snapshot, Folding::none);
  REQUIRE(groups.size() == 3);
  CHECK(name_of(groups[0].rows.front()) == "many");
  CHECK(name_of(groups[1].rows.front()) == "few");
  CHECK(name_of(groups[2].rows.front()) == "slices");
}

TEST_CASE("a claim that several pods share is counted once") {
  const ByHand made;
  const auto rows = pod_usage(made.inventory);
  REQUIRE(rows.size() == 3);
  CHECK(shared_by(rows[0]) == 2);
  CHECK(units_of(rows) == 3);
  CHECK(name_of(rows[2]) == "claim/left");
  CHECK(shared_by(rows[2]) == 0);
  const auto usages = namespace_usage(rows);
  REQUIRE(usages.size() == 1);
  CHECK(usages[0].units == 3);
  CHECK(usages[0].pods.size() == 2);
}

TEST_CASE("a namespace's amounts stand together, cards first, at most three") {
  const Snapshot snapshot =
      make::snapshot({make::node("a", 8), make::node("m", 14, "nvidia.com/mig-1g.10gb"),
                      make::node("n", 14, "nvidia.com/mig-2g.20gb")},
                     {make::pod("x", "a", 2), make::pod("y", "m", 9, "nvidia.com/mig-1g.10gb"),
                      make::pod("z", "n", 1, "nvidia.com/mig-2g.20gb")});
  const Inventory inventory(snapshot);
  const auto usages = namespace_usage(pod_usage(inventory));
  const auto groups = namespace_groups(usages, Kinds::together);
  REQUIRE(groups.size() == 1);
  CHECK(kinds_text(groups[0]) == "2 GPUs + 10 mig");
  CHECK(groups[0].pods == 3);
  CHECK(groups[0].cards == 2);
  CHECK(groups[0].parts == 10);
  CHECK(namespace_groups(usages, Kinds::apart).size() == 3);
}

TEST_CASE("a pod is idle where all that it holds is") {
  const auto with_uid = [](Pod pod) {
    pod.uid = "uid-" + pod.name;
    return pod;
  };
  Snapshot snapshot =
      make::snapshot({make::node("a", 3), make::node("b", 1)},
                     {with_uid(make::pod("idle", "a", 1)), with_uid(make::pod("half", "a", 2)),
                      with_uid(make::pod("unknown", "b", 1))});
  snapshot.samples = {make::used_by(make::card("a", 0, 0.01), {"idle"}),
                      make::used_by(make::card("a", 1, 0.01), {"half"}),
                      make::used_by(make::card("a", 2, 0.90), {"half"})};
  CHECK(idle_pods(Inventory(snapshot, std::nullopt)) == std::set<std::string>{"uid-idle"});
}

}  // namespace rows_pod_usage_test
