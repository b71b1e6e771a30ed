#include "scheduler/volumes/volume_zone.hpp"

#include <catch2/catch.hpp>

#include "scheduler/volumes/volume_make.hpp"

namespace volumes_volume_zone_test {

namespace {

using gpu::Pod;
using gpu::SchedulingFacts;
using gpu::Snapshot;
using gpu::make::bound_claim;
using gpu::make::delayed_class;
using gpu::make::node;
using gpu::make::pod_with_claims;
using gpu::make::refusal;
using gpu::make::seen;
using gpu::make::texts;
using gpu::make::volume;
using gpu::make::waiting_claim;
using gpu::make::zoned_node;
using gpu::scheduler::Cluster;
using gpu::scheduler::VolumeZone;
using Texts = std::vector<std::string>;

constexpr const char* kZone = "node(s) had no available volume zone";

Texts asked(const std::string& key, const std::string& zones, gpu::Node of_node) {
  SchedulingFacts facts;
  facts.volume_claims = {bound_claim("data", "pv")};
  facts.volumes = {volume("pv", "fast")};
  facts.volumes[0].labels.set(key, zones);
  const Snapshot snapshot = seen({std::move(of_node)}, {}, facts);
  const Cluster cluster(snapshot);
  return texts<VolumeZone>(cluster, pod_with_claims("p", "", {"data"}));
}

std::string refused(const SchedulingFacts& facts) {
  const Snapshot snapshot = seen({node("a", 0)}, {}, facts);
  const Cluster cluster(snapshot);
  return refusal<VolumeZone>(cluster, pod_with_claims("p", "", {"data"}));
}

}  // namespace

TEST_CASE("a volume's zone must be the node's, where the node has one") {
  constexpr const char* kNew = "topology.kubernetes.io/zone";
  CHECK(asked(kNew, "z1", zoned_node("a", "z1")).empty());
  CHECK(asked(kNew, "z2", zoned_node("a", "z1")) == Texts{kZone});
  CHECK(asked(kNew, "z2__z1", zoned_node("a", "z1")).empty());
  CHECK(asked(kNew, "z2__", zoned_node("a", "z1")).empty());  // cannot be read: not looked at
  CHECK(asked(kNew, "z2", node("a", 0)).empty());
  CHECK(asked("failure-domain.beta.kubernetes.io/zone", "z1", zoned_node("a", "z1")).empty());
  CHECK(asked("failure-domain.beta.kubernetes.io/zone", "z2", zoned_node("a", "z1")) ==
        Texts{kZone});
  CHECK(asked("topology.kubernetes.io/region", "r", zoned_node("a", "z1")) == Texts{kZone});
}

TEST_CASE("VolumeZone names a bound claim's volume that is gone") {
  SchedulingFacts facts;
  facts.volume_claims = {bound_claim("data", "pv")};
  CHECK(refused(facts) == "persistentvolume \"pv\" not found");
}

TEST_CASE("VolumeZone has words of its own for claims without a volume") {
  SchedulingFacts facts;
  facts.volume_claims = {waiting_claim("data", "fast")};
  CHECK(refused(facts) == "storageclass.storage.k8s.io \"fast\" not found");
  facts.storage_classes = {{.name = "fast"}};
  CHECK(refused(facts) == "PersistentVolume had no name");
  facts.storage_classes = {delayed_class("fast", "csi")};
  CHECK(refused(facts).empty());
  facts.volume_claims[0].storage_class.reset();
  CHECK(refused(facts) == "PersistentVolumeClaim had no pv name and storageClass name");
}

}  // namespace volumes_volume_zone_test
