#include "plan/volumes.hpp"

#include <catch2/catch.hpp>

#include "scheduler/volumes/volume_make.hpp"

namespace plan_volumes_test {

using namespace gpu;
using namespace gpu::plan;

namespace {

Snapshot cluster(std::vector<StorageClass> classes) {
  Snapshot snapshot = make::snapshot({make::node("a", 8)}, {});
  for (const char* kind : {"persistentvolumeclaims", "persistentvolumes", "storageclasses",
                           "csinodes", "csidrivers", "volumeattachments", "csistoragecapacities"})
    snapshot.scheduling.coverages[kind] = Coverage::whole;
  snapshot.scheduling.storage_classes = std::move(classes);
  return snapshot;
}

StorageClass storage_class(std::string name, bool waits) {
  StorageClass made{.name = std::move(name), .provisioner = "csi.example.com"};
  made.waits_for_consumer = waits;
  return made;
}

VolumeClaimTemplates templates(std::optional<std::string> of_class) {
  PersistentVolumeClaim claim{.name = "data"};
  claim.storage_class = std::move(of_class);
  return {.claims = {claim}, .first = 0};
}

Pod of_set() {
  Pod pod = make::pod("db", "", 1);
  pod.volumes = {{.name = "data", .claim = {}}};
  return pod;
}

}  // namespace

TEST_CASE("each pod of a StatefulSet has a claim of its own") {
  Snapshot snapshot = cluster({storage_class("fast", true)});
  Pod pod = of_set();
  CHECK(make_volume_claims(pod, templates("fast"), 2, snapshot).empty());
  REQUIRE(snapshot.scheduling.volume_claims.size() == 2);
  CHECK(snapshot.scheduling.volume_claims[1].name == "data-db-1");
  CHECK(snapshot.scheduling.volume_claims[1].ns == "ml");
  CHECK(is_made_on_demand(snapshot.scheduling.volume_claims[1], snapshot.scheduling));
  use_volume_claims(pod, templates("fast"), 1, snapshot);
  REQUIRE(pod.volumes.size() == 1);
  CHECK(pod.volumes[0].claim == "data-db-1");
}

TEST_CASE("a claim that is there stays, and ordinals may start later") {
  Snapshot snapshot = cluster({storage_class("fast", true)});
  snapshot.scheduling.volume_claims = {make::bound_claim("data-db-5", "pv")};
  VolumeClaimTemplates from_five = templates("fast");
  from_five.first = 5;
  Pod pod = of_set();
  CHECK(make_volume_claims(pod, from_five, 2, snapshot).empty());
  REQUIRE(snapshot.scheduling.volume_claims.size() == 2);
  CHECK(snapshot.scheduling.volume_claims[0].is_bound);
  use_volume_claims(pod, from_five, 0, snapshot);
  CHECK(pod.volumes.at(0).claim == "data-db-5");
}

TEST_CASE("a volume that is made at once may be anywhere") {
  Snapshot snapshot = cluster({storage_class("now", false)});
  Pod pod = of_set();
  CHECK(make_volume_claims(pod, templates("now"), 2, snapshot).size() == 1);
  CHECK(snapshot.scheduling.volume_claims.empty());
  use_volume_claims(pod, templates("now"), 0, snapshot);
  CHECK(pod.volumes.empty());
}

TEST_CASE("a class that does not exist has no volume, unless one names it") {
  Snapshot snapshot = cluster({});
  CHECK(make_volume_claims(of_set(), templates("fats"), 1, snapshot).empty());
  CHECK(snapshot.scheduling.volume_claims.size() == 1);
  Snapshot by_hand = cluster({});
  by_hand.scheduling.volumes = {make::volume("pv", "fats")};
  CHECK(make_volume_claims(of_set(), templates("fats"), 1, by_hand).size() == 1);
  CHECK(by_hand.scheduling.volume_claims.empty());
}

TEST_CASE("the default class is that of claims that name none") {
  StorageClass usual = storage_class("usual", true);
  usual.is_default = true;
  Snapshot snapshot = cluster({storage_class("fast", true), usual});
  CHECK(make_volume_claims(of_set(), templates(std::nullopt), 1, snapshot).empty());
  CHECK(snapshot.scheduling.volume_claims.at(0).storage_class == "usual");
}

TEST_CASE("where claims or classes were not read, that is said") {
  Snapshot snapshot = cluster({storage_class("fast", true)});
  snapshot.scheduling.coverages["persistentvolumeclaims"] = Coverage::partial;
  CHECK(make_volume_claims(of_set(), templates("fast"), 1, snapshot).size() == 1);
  CHECK(snapshot.scheduling.volume_claims.empty());
  CHECK(make_volume_claims(of_set(), templates("fats"), 1, snapshot).size() == 1);
  CHECK(snapshot.scheduling.volume_claims.size() == 1);
  Snapshot blind = cluster({});
  blind.scheduling.coverages["storageclasses"] = Coverage::partial;
  CHECK(make_volume_claims(of_set(), templates("fast"), 1, blind).size() == 1);
  CHECK(blind.scheduling.volume_claims.empty());
}

TEST_CASE("whether a claim without a class gets a volume is open where classes were not read") {
  Snapshot snapshot = cluster({});
  const auto planned = [] {
    PlannedObjects objects;
    PlannedPod pod{.pod = make::pod("db", "", 1)};
    pod.pod.volumes = {{.name = "data", .claim = "data"}};
    objects.pods = {pod};
    objects.volume_claims = {{.ns = pod.pod.ns, .name = "data"}};
    return objects;
  };
  PlannedObjects seen = planned();
  add_volume_claims(seen, snapshot);
  CHECK(seen.pods[0].not_checked.empty());
  CHECK(snapshot.scheduling.volume_claims.size() == 1);
  Snapshot blind = cluster({});
  blind.scheduling.coverages.erase("storageclasses");
  PlannedObjects unseen = planned();
  add_volume_claims(unseen, blind);
  CHECK(unseen.pods[0].not_checked ==
        std::vector<std::string>{
            "whether its claim data gets a volume: storageclasses were not read"});
  CHECK(unseen.pods[0].pod.volumes.empty());
  CHECK(blind.scheduling.volume_claims.empty());
}

TEST_CASE("a volume that is there is taken from others") {
  Snapshot snapshot = cluster({storage_class("fast", true)});
  const PersistentVolumeClaim claim = make::waiting_claim("c", "fast");
  CHECK(is_made_on_demand(claim, snapshot.scheduling));
  snapshot.scheduling.volumes = {make::volume("pv", "fast")};
  CHECK_FALSE(is_made_on_demand(claim, snapshot.scheduling));
}

}  // namespace plan_volumes_test
