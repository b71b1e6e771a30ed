#include "scheduler/volumes/volume_limits.hpp"

#include <catch2/catch.hpp>

#include "scheduler/volumes/volume_make.hpp"

namespace volumes_volume_limits_test {

namespace {

using gpu::Pod;
using gpu::SchedulingFacts;
using gpu::Snapshot;
using gpu::make::bound_claim;
using gpu::make::delayed_class;
using gpu::make::node;
using gpu::make::pod_with_claims;
using gpu::make::seen;
using gpu::make::texts;
using gpu::make::volume;
using gpu::make::waiting_claim;
using gpu::scheduler::Cluster;
using gpu::scheduler::VolumeLimits;
using Texts = std::vector<std::string>;

constexpr const char* kFull = "node(s) exceed max volume count";

gpu::PersistentVolume csi_volume(const std::string& name) {
  gpu::PersistentVolume made = volume(name, "fast");
  made.csi_driver = "csi.example.com";
  made.csi_handle = "handle-" + name;
  return made;
}

/// Claims c1.. bound to volumes v1.., and a driver that attaches `limit` volumes to node a.
SchedulingFacts facts_of(int claims, std::int64_t limit) {
  SchedulingFacts facts;
  for (int i = 1; i <= claims; ++i) {
    const std::string number = std::to_string(i);
    facts.volume_claims.push_back(bound_claim("c" + number, "v" + number));
    facts.volumes.push_back(csi_volume("v" + number));
  }
  facts.csi_nodes = {{.name = "a", .drivers = {{"csi.example.com", limit}}}};
  return facts;
}

Texts asked(const SchedulingFacts& facts, const std::vector<Pod>& pods, const Pod& pod) {
  const Snapshot snapshot = seen({node("a", 0)}, pods, facts);
  const Cluster cluster(snapshot);
  return texts<VolumeLimits>(cluster, pod);
}

}  // namespace

TEST_CASE("volumes of pods on the node count once each against the driver's limit") {
  const Pod one = pod_with_claims("q1", "a", {"c1"});
  const Pod same = pod_with_claims("q2", "a", {"c1"});
  CHECK(asked(facts_of(2, 2), {one, same}, pod_with_claims("p", "", {"c2"})).empty());
  CHECK(asked(facts_of(2, 1), {one}, pod_with_claims("p", "", {"c2"})) == Texts{kFull});
  CHECK(asked(facts_of(2, 1), {one}, pod_with_claims("p", "", {"c1"})).empty());
  CHECK(asked(facts_of(3, 2), {one}, pod_with_claims("p", "", {"c2", "c3"})) == Texts{kFull});
}

TEST_CASE("attachments that no pod uses count, others do not count twice") {
  SchedulingFacts facts = facts_of(2, 2);
  const Pod one = pod_with_claims("q", "a", {"c1"});
  facts.attachments = {{.name = "x", .attacher = "csi.example.com", .node = "a", .volume = "v1"},
                       {.name = "y", .attacher = "csi.example.com", .node = "b", .volume = "v9"}};
  CHECK(asked(facts, {one}, pod_with_claims("p", "", {"c2"})).empty());
  facts.volumes.push_back(csi_volume("v9"));
  facts.attachments[1].node = "a";
  CHECK(asked(facts, {one}, pod_with_claims("p", "", {"c2"})) == Texts{kFull});
}

TEST_CASE("an attachment of the pod's own volume still counts as another") {
  // The plugin takes volumes of pods out of what is new, and not those that are only attached.
  SchedulingFacts facts = facts_of(1, 1);
  facts.attachments = {{.name = "x", .attacher = "csi.example.com", .node = "a", .volume = "v1"}};
  CHECK(asked(facts, {}, pod_with_claims("p", "", {"c1"})) == Texts{kFull});
}

TEST_CASE("a volume that is still to be made counts for its class's driver") {
  SchedulingFacts facts = facts_of(1, 1);
  facts.volume_claims.push_back(waiting_claim("new", "fast"));
  facts.storage_classes = {delayed_class("fast", "csi.example.com")};
  CHECK(asked(facts, {pod_with_claims("q", "a", {"c1"})}, pod_with_claims("p", "", {"new"})) ==
        Texts{kFull});
  facts.storage_classes[0].provisioner = "other.example.com";
  CHECK(
      asked(facts, {pod_with_claims("q", "a", {"c1"})}, pod_with_claims("p", "", {"new"})).empty());
}

TEST_CASE("kinds that moved to CSI count for their drivers") {
  SchedulingFacts facts = facts_of(1, 1);
  facts.csi_nodes[0].drivers = {{"ebs.csi.aws.com", 1}};
  facts.volumes[0].csi_driver.clear();
  facts.volumes[0].legacy_driver = "awsElasticBlockStore";
  Pod inline_disk = pod_with_claims("q", "a", {});
  inline_disk.volumes = {{.name = "d", .disk = gpu::InlineDisk{"awsElasticBlockStore", "vol-1"}}};
  CHECK(asked(facts, {inline_disk}, pod_with_claims("p", "", {"c1"})) == Texts{kFull});
}

TEST_CASE("a disk counts once, however pods name it") {
  const auto asked_with = [](const char* kind, const char* id, const char* driver,
                             const char* also) {
    SchedulingFacts facts = facts_of(1, 1);
    facts.csi_nodes[0].drivers = {{driver, 1}};
    facts.volumes[0].csi_driver.clear();
    facts.volumes[0].legacy_driver = kind;
    facts.volumes[0].csi_handle = id;
    Pod inline_disk = pod_with_claims("q", "a", {});
    inline_disk.volumes = {{.name = "d", .disk = gpu::InlineDisk{kind, also}}};
    return asked(facts, {inline_disk}, pod_with_claims("p", "", {"c1"}));
  };
  CHECK(asked_with("awsElasticBlockStore", "aws://z/vol-1", "ebs.csi.aws.com", "vol-1").empty());
  CHECK(asked_with("awsElasticBlockStore", "vol-2", "ebs.csi.aws.com", "vol-1") == Texts{kFull});
  CHECK(asked_with("azureDisk", "/disks/d", "disk.csi.azure.com", "/disks/d").empty());
  CHECK(asked_with("azureDisk", "/disks/d", "disk.csi.azure.com", "/disks/e") == Texts{kFull});
  CHECK(asked_with("cinder", "c", "cinder.csi.openstack.org", "c").empty());
  CHECK(asked_with("cinder", "c", "cinder.csi.openstack.org", "d") == Texts{kFull});
  CHECK(asked_with("gcePersistentDisk", "d", "pd.csi.storage.gke.io", "d").empty());
  CHECK(asked_with("gcePersistentDisk", "d", "pd.csi.storage.gke.io", "e") == Texts{kFull});
}

TEST_CASE("Portworx volumes count without the node's word from 1.36 on") {
  SchedulingFacts facts = facts_of(0, 0);
  facts.csi_nodes[0].drivers = {{"pxd.portworx.com", 0}};
  Pod pod = pod_with_claims("p", "", {});
  pod.volumes = {{.name = "d", .disk = gpu::InlineDisk{"portworxVolume", "v"}}};
  CHECK(asked(facts, {}, pod) == Texts{kFull});
  Snapshot snapshot = seen({node("a", 0)}, {}, facts);
  snapshot.server_version = "v1.34.4";
  CHECK(texts<VolumeLimits>(Cluster(snapshot), pod).empty());
  snapshot.scheduling.csi_nodes[0].annotations = {
      {"storage.alpha.kubernetes.io/migrated-plugins", "kubernetes.io/portworx-volume"}};
  CHECK(texts<VolumeLimits>(Cluster(snapshot), pod) == Texts{kFull});
}

TEST_CASE(
    "a disk of a pod that its driver does not have ends the cycle, a claim's does not count") {
  SchedulingFacts facts = facts_of(1, 1);
  facts.csi_nodes[0].drivers = {{"disk.csi.azure.com", std::nullopt}};
  Pod unmanaged = pod_with_claims("p", "", {});
  unmanaged.volumes = {{.name = "d", .disk = gpu::InlineDisk{"azureDisk:Shared", "d"}}};
  const Texts error = {
      "error: converting volume(d) from inline to csi: kind(Shared) is not "
      "supported in csi migration"};
  CHECK(asked(facts, {}, unmanaged) == error);
  unmanaged.volumes[0].disk = gpu::InlineDisk{"awsElasticBlockStore", "aws://"};
  CHECK(asked(facts, {}, unmanaged) ==
        Texts{"error: converting volume(d) from inline to csi: failed to translate Kubernetes ID "
              "to EBS Volume ID Invalid format for AWS volume (aws://)"});
  // A pod that is there matters where volumes are limited.
  Pod there = unmanaged;
  there.node_name = "a";
  const Pod pod = pod_with_claims("p", "", {"c1"});
  CHECK(asked(facts, {there}, pod).empty());
  facts.volumes[0].csi_driver.clear();
  facts.volumes[0].legacy_driver = "azureDisk:Shared";
  facts.csi_nodes[0].drivers = {{"disk.csi.azure.com", 0}};
  CHECK(asked(facts, {}, pod).empty());
  facts.csi_nodes.clear();
  CHECK(asked(facts, {}, unmanaged).empty());
}

TEST_CASE("without a limit or a CSINode everything fits") {
  SchedulingFacts facts = facts_of(2, 0);
  const Pod pod = pod_with_claims("p", "", {"c1"});
  CHECK(asked(facts, {}, pod) == Texts{kFull});
  facts.csi_nodes[0].drivers[0].count.reset();
  CHECK(asked(facts, {}, pod).empty());
  facts.csi_nodes.clear();
  CHECK(asked(facts, {}, pod).empty());
}

TEST_CASE("a pod on the node with a foreign ephemeral claim ends the cycle") {
  Pod other = pod_with_claims("q", "a", {});
  other.volumes = {{.name = "c1", .claim = "c1", .is_ephemeral = true}};
  CHECK(asked(facts_of(2, 5), {other}, pod_with_claims("p", "", {"c2"})) ==
        Texts{"error: PVC ml/c1 was not created for "
              "pod ml/q (pod is not owner)"});
}

TEST_CASE("what pods that are gone for good had is detached, what preemption would end is not") {
  SchedulingFacts facts = facts_of(2, 1);
  facts.attachments = {{.name = "at", .attacher = "csi.example.com", .node = "a", .volume = "v1"}};
  const Snapshot snapshot = seen({node("a", 0)}, {pod_with_claims("q", "a", {"c1"})}, facts);
  const Cluster cluster(snapshot);
  const Pod pod = pod_with_claims("p", "", {"c2"});
  const gpu::scheduler::EndedPods users = {&snapshot.pods[0]};
  const auto refuses = [&](const gpu::scheduler::EndedPods& ended) {
    gpu::scheduler::Findings findings;
    VolumeLimits(cluster, pod, ended).ask({cluster, 0, cluster.nodes()[0], users}, findings);
    return !findings.found().empty();
  };
  CHECK(refuses({}));
  CHECK_FALSE(refuses(users));
}

TEST_CASE("a volume that another pod still uses stays attached") {
  SchedulingFacts facts = facts_of(2, 1);
  facts.attachments = {{.name = "at", .attacher = "csi.example.com", .node = "a", .volume = "v1"}};
  const Snapshot snapshot =
      seen({node("a", 0)}, {pod_with_claims("q1", "a", {"c1"}), pod_with_claims("q2", "a", {"c1"})},
           facts);
  const Cluster cluster(snapshot);
  const Pod pod = pod_with_claims("p", "", {"c2"});
  const gpu::scheduler::EndedPods users = {&snapshot.pods[0]};
  gpu::scheduler::Findings findings;
  VolumeLimits(cluster, pod, users).ask({cluster, 0, cluster.nodes()[0], users}, findings);
  CHECK(findings.found().size() == 1);
}

TEST_CASE("limits that were not read are named") {
  Snapshot snapshot = seen({node("a", 0)}, {}, facts_of(1, 1));
  snapshot.scheduling.coverages["csinodes"] = gpu::Coverage::none;
  const Cluster cluster(snapshot);
  const Pod pod = pod_with_claims("p", "", {"c1"});
  CHECK(VolumeLimits(cluster, pod).before().not_checked ==
        Texts{"limits of volumes: no CSINodes were read"});
}

}  // namespace volumes_volume_limits_test
