#include "scheduler/volumes/volume_restrictions.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge.hpp"
#include "scheduler/volumes/volume_make.hpp"

namespace volumes_volume_restrictions_test {

namespace {

using gpu::Pod;
using gpu::SchedulingFacts;
using gpu::Snapshot;
using gpu::make::bound_claim;
using gpu::make::node;
using gpu::make::pod_with_claims;
using gpu::make::refusal;
using gpu::make::seen;
using gpu::make::texts;
using gpu::scheduler::BoundPod;
using gpu::scheduler::Cluster;
using gpu::scheduler::Findings;
using gpu::scheduler::VolumeRestrictions;
using Texts = std::vector<std::string>;

constexpr const char* kDisk = "node(s) had no available disk";
constexpr const char* kInUse =
    "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already "
    "in-use by another pod";

Pod pod_with_disk(std::string name, std::string node_name, gpu::InlineDisk disk) {
  Pod pod = pod_with_claims(std::move(name), std::move(node_name), {});
  pod.volumes = {{.name = "disk", .disk = std::move(disk)}};
  return pod;
}

Texts beside(const gpu::InlineDisk& theirs, const gpu::InlineDisk& mine) {
  const Snapshot snapshot = seen({node("a", 0)}, {pod_with_disk("q", "a", theirs)});
  const Cluster cluster(snapshot);
  return texts<VolumeRestrictions>(cluster, pod_with_disk("p", "", mine));
}

SchedulingFacts exclusive_claim() {
  SchedulingFacts facts;
  facts.volume_claims = {bound_claim("data", "pv")};
  facts.volume_claims[0].access_modes = {"ReadWriteOncePod"};
  return facts;
}

}  // namespace

TEST_CASE("two pods share a disk on a node only where its kind allows it") {
  CHECK(beside({"gcePersistentDisk", "d"}, {"gcePersistentDisk", "d"}) == Texts{kDisk});
  CHECK(beside({"gcePersistentDisk", "d", {}, true}, {"gcePersistentDisk", "d", {}, true}).empty());
  CHECK(beside({"gcePersistentDisk", "d", {}, true}, {"gcePersistentDisk", "d"}) == Texts{kDisk});
  CHECK(beside({"gcePersistentDisk", "d"}, {"gcePersistentDisk", "e"}).empty());
  CHECK(beside({"awsElasticBlockStore", "v", {}, true}, {"awsElasticBlockStore", "v", {}, true}) ==
        Texts{kDisk});
  CHECK(beside({"awsElasticBlockStore", "v"}, {"gcePersistentDisk", "v"}).empty());
  CHECK(beside({"iscsi", "iqn"}, {"iscsi", "iqn"}) == Texts{kDisk});
  CHECK(beside({"rbd", "p/i", {"m1", "m2"}}, {"rbd", "p/i", {"m2"}}) == Texts{kDisk});
  CHECK(beside({"rbd", "p/i", {"m1"}}, {"rbd", "p/i", {"m2"}}).empty());
  CHECK(beside({"azureDisk", "d"}, {"azureDisk", "d"}).empty());
}

TEST_CASE("a named claim must exist, an ephemeral one is not looked at") {
  const Snapshot snapshot = seen({node("a", 0)}, {});
  const Cluster cluster(snapshot);
  Pod pod = pod_with_claims("p", "", {"data"});
  CHECK(refusal<VolumeRestrictions>(cluster, pod) == "persistentvolumeclaim \"data\" not found");
  pod.volumes[0].is_ephemeral = true;
  CHECK(refusal<VolumeRestrictions>(cluster, pod).empty());
}

TEST_CASE("a ReadWriteOncePod claim in use is said by every node") {
  const Snapshot snapshot =
      seen({node("a", 0), node("b", 0)}, {pod_with_claims("q", "b", {"data"})}, exclusive_claim());
  const Cluster cluster(snapshot);
  const Pod pod = pod_with_claims("p", "", {"data"});
  CHECK(texts<VolumeRestrictions>(cluster, pod, 0) == Texts{kInUse});
  CHECK(texts<VolumeRestrictions>(cluster, pod, 1) == Texts{kInUse});
  Pod elsewhere = pod;
  elsewhere.ns = "other";
  CHECK(refusal<VolumeRestrictions>(cluster, elsewhere) ==
        "persistentvolumeclaim \"data\" not found");
}

TEST_CASE("taking the other pod away frees its claim") {
  const Snapshot snapshot =
      seen({node("a", 0)}, {pod_with_claims("q", "a", {"data"})}, exclusive_claim());
  const Cluster cluster(snapshot);
  const Pod pod = pod_with_claims("p", "", {"data"});
  const VolumeRestrictions filter(cluster, pod);
  Findings findings;
  filter.ask({cluster, 0, cluster.nodes()[0], {cluster.nodes()[0].pods[0].pod}}, findings);
  CHECK(findings.found().empty());
}

TEST_CASE("a pod that a change ends leaves its claim, wherever it runs") {
  SchedulingFacts facts = exclusive_claim();
  facts.volumes = {gpu::make::volume("pv", "fast")};
  const Snapshot snapshot =
      seen({node("a", 0), node("b", 0)}, {pod_with_claims("q", "b", {"data"})}, facts);
  const Cluster cluster(snapshot);
  const Pod pod = pod_with_claims("p", "", {"data"});
  const Pod* const user = cluster.nodes()[1].pods[0].pod;
  CHECK(VolumeRestrictions(cluster, pod, {user}).before().skips);
  const gpu::scheduler::Change change{.ended = {user}};
  CHECK_FALSE(gpu::scheduler::judge(cluster, pod).fits());
  const std::vector<std::size_t> nodes = {0, 1};
  CHECK(gpu::scheduler::judge(cluster, pod, change, nodes).fitting() == 2);
}

TEST_CASE("a nominated pod adds to the uses of a claim that is in use, by its name alone") {
  SchedulingFacts facts = exclusive_claim();
  const Snapshot snapshot = seen({node("a", 0)}, {pod_with_claims("q", "a", {"data"})}, facts);
  const Cluster cluster(snapshot);
  const Pod pod = pod_with_claims("p", "", {"data"});
  Pod nominated = pod_with_claims("n", "", {"data"});
  nominated.ns = "other";
  const BoundPod bound{.pod = &nominated};
  const VolumeRestrictions filter(cluster, pod);
  Findings findings;
  filter.ask({cluster, 0, cluster.nodes()[0], {cluster.nodes()[0].pods[0].pod}, {&bound}},
             findings);
  CHECK(findings.found().size() == 1);
}

TEST_CASE("a claim that nobody uses leaves the filter out") {
  const Snapshot snapshot = seen({node("a", 0)}, {}, exclusive_claim());
  const Cluster cluster(snapshot);
  const Pod pod = pod_with_claims("p", "", {"data"});
  CHECK(VolumeRestrictions(cluster, pod).before().skips);
}

}  // namespace volumes_volume_restrictions_test
