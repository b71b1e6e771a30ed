#include "admission/kueue/flavor.hpp"

#include <catch2/catch.hpp>

namespace kueue_flavor_test {

using namespace gpu;
using namespace gpu::admission;

namespace {

const ResourceFlavor kSpot{.name = "spot",
                           .node_labels = {{"kind", "spot"}, {"gpu", "h100"}},
                           .node_taints = {{.key = "spot", .value = "true", .effect = "NoSchedule"},
                                           {.key = "slow", .effect = "PreferNoSchedule"}}};
const ResourceFlavor kPlain{.name = "plain", .node_labels = {{"kind", "plain"}}};

std::string mismatch(const ResourceFlavor& flavor, const PodSet& set) {
  return flavor_mismatch(flavor, {&kSpot, &kPlain}, set);
}

}  // namespace

TEST_CASE("a flavor's taints are tolerated by the pods, or by the flavor for them") {
  PodSet set{.name = "main"};
  CHECK(mismatch(kSpot, set) == "untolerated taint spot=true:NoSchedule in flavor spot");
  CHECK(mismatch(kPlain, set).empty());
  set.tolerations = {{.key = "spot", .op = "Exists"}};
  CHECK(mismatch(kSpot, set).empty());
  ResourceFlavor tolerating = kSpot;
  tolerating.tolerations = set.tolerations;
  CHECK(mismatch(tolerating, PodSet{}).empty());
}

TEST_CASE("of what pods select, labels that no flavor of the group has do not count") {
  PodSet set{.name = "main", .node_selector = {{"disk", "ssd"}}};
  CHECK(mismatch(kPlain, set).empty());
  // kSpot has `gpu`, so that it counts for the other, too.
  set.node_selector = {{"gpu", "h100"}};
  CHECK(mismatch(kPlain, set) == "flavor plain doesn't match node affinity");
  set.node_selector = {{"kind", "spot"}};
  CHECK(mismatch(kPlain, set) == "flavor plain doesn't match node affinity");
}

TEST_CASE("of required affinity one term is enough, and one about other labels matches all") {
  const Requirement spot{"kind", "In", {"spot", "cheap"}};
  const Requirement disk{"disk", "Exists", {}};
  PodSet set{.name = "main"};
  set.node_affinity = NodeSelector{{.expressions = {spot}}};
  CHECK(mismatch(kPlain, set) == "flavor plain doesn't match node affinity");
  set.node_affinity = NodeSelector{{.expressions = {spot, disk}}};
  CHECK(mismatch(kPlain, set) == "flavor plain doesn't match node affinity");
  set.node_affinity = NodeSelector{{.expressions = {spot}}, {.expressions = {disk}}};
  CHECK(mismatch(kPlain, set).empty());
  set.node_affinity =
      NodeSelector{{.expressions = {spot}}, {.expressions = {{"kind", "In", {"plain"}}}}};
  CHECK(mismatch(kPlain, set).empty());
  set.node_affinity = NodeSelector{};
  CHECK(mismatch(kPlain, set).empty());
}

}  // namespace kueue_flavor_test
