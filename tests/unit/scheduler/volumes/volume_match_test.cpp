#include "scheduler/volumes/volume_match.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace gpu::scheduler::volumes_volume_match_test {
namespace {

PersistentVolume volume(std::string name, std::int64_t storage = 10) {
  PersistentVolume made{.name = std::move(name)};
  made.phase = "Available";
  made.storage_class = "fast";
  made.access_modes = {"ReadWriteOnce"};
  made.storage = Quantity::of(storage);
  return made;
}

PersistentVolumeClaim claim() {
  PersistentVolumeClaim made{.ns = "ml", .name = "data", .uid = "u"};
  made.storage_class = "fast";
  made.access_modes = {"ReadWriteOnce"};
  made.storage = Quantity::of(10);
  return made;
}

std::string matching(std::vector<PersistentVolume> volumes, const ChosenVolumes& chosen = {},
                     const PersistentVolumeClaim& wanted = claim()) {
  Snapshot snapshot = make::cluster({make::labelled("n", {{"zone", "a"}})});
  snapshot.scheduling.volumes = std::move(volumes);
  const Cluster cluster(snapshot);
  const PersistentVolume* const found =
      matching_volume(cluster, wanted, snapshot.nodes.front(), chosen);
  return found == nullptr ? "none" : found->name;
}

PersistentVolume reserved(std::string name, std::string uid) {
  PersistentVolume made = volume(std::move(name), 50);
  made.claim_ns = "ml";
  made.claim_name = "data";
  made.claim_uid = std::move(uid);
  return made;
}

PersistentVolume in_zone(PersistentVolume made, std::string zone) {
  made.node_affinity = NodeSelector{{{{"zone", "In", {std::move(zone)}}}, {}}};
  return made;
}

}  // namespace

TEST_CASE("the smallest volume that is big enough is taken, the first of two alike") {
  CHECK(matching({volume("a", 9)}) == "none");
  CHECK(matching({volume("a", 10)}) == "a");
  CHECK(matching({volume("a", 20), volume("b", 10), volume("c", 10)}) == "b");
  CHECK(matching({volume("a", 10), volume("b", 20)}, {"a"}) == "b");
}

TEST_CASE("a volume has the claim's class, modes, labels and attributes") {
  PersistentVolume other = volume("a");
  other.storage_class = "slow";
  CHECK(matching({other}) == "none");
  other = volume("a");
  other.volume_mode = "Block";
  CHECK(matching({other}) == "none");
  other.volume_mode = "Filesystem";
  CHECK(matching({other}) == "a");
  other = volume("a");
  other.attributes_class = "gold";
  CHECK(matching({other}) == "none");
  other = volume("a");
  other.phase = "Released";
  CHECK(matching({other}) == "none");
  other = volume("a");
  other.deleted = Time{};
  CHECK(matching({other}) == "none");
  PersistentVolumeClaim shared = claim();
  shared.access_modes = {"ReadWriteOnce", "ReadWriteMany"};
  CHECK(matching({volume("a")}, {}, shared) == "none");
  PersistentVolumeClaim selecting = claim();
  selecting.selector = ObjectSelector{{{"disk", "ssd"}}, {}};
  CHECK(matching({volume("a")}, {}, selecting) == "none");
  other = volume("a");
  other.labels = {{"disk", "ssd"}};
  CHECK(matching({other}, {}, selecting) == "a");
}

TEST_CASE("a volume is taken where the node can reach it") {
  CHECK(matching({in_zone(volume("a"), "b"), in_zone(volume("c", 20), "a")}) == "c");
}

TEST_CASE("a volume that is reserved for the claim comes before all, one for another never") {
  CHECK(matching({volume("a"), reserved("r", "u")}) == "r");
  CHECK(matching({volume("a"), reserved("r", "")}) == "r");
  CHECK(matching({volume("a"), reserved("r", "other")}) == "a");
  PersistentVolume elsewhere = reserved("r", "");
  elsewhere.claim_ns = "dev";
  CHECK(matching({volume("a"), elsewhere}) == "a");
  elsewhere = reserved("r", "");
  elsewhere.claim_name = "logs";
  CHECK(matching({volume("a"), elsewhere}) == "a");
  CHECK(matching({volume("a"), in_zone(reserved("r", "u"), "b")}) == "none");
  CHECK(matching({in_zone(reserved("r", "u"), "b"), volume("a")}) == "none");
}

}  // namespace gpu::scheduler::volumes_volume_match_test
