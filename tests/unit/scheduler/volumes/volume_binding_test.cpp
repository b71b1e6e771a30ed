#include "scheduler/volumes/volume_binding.hpp"

#include <catch2/catch.hpp>

#include "scheduler/volumes/volume_make.hpp"

namespace volumes_volume_binding_test {

namespace {

using gpu::Coverage;
using gpu::Pod;
using gpu::SchedulingFacts;
using gpu::Snapshot;
using gpu::make::bound_claim;
using gpu::make::delayed_class;
using gpu::make::label_is;
using gpu::make::pod_with_claims;
using gpu::make::refusal;
using gpu::make::seen;
using gpu::make::texts;
using gpu::make::volume;
using gpu::make::waiting_claim;
using gpu::make::zoned_node;
using gpu::scheduler::Cluster;
using gpu::scheduler::VolumeBinding;
using Texts = std::vector<std::string>;

constexpr const char* kElsewhere = "node(s) didn't match PersistentVolume's node affinity";
constexpr const char* kNone = "node(s) didn't find available persistent volumes to bind";
constexpr const char* kNoSpace = "node(s) did not have enough free storage";

Texts asked(const Snapshot& snapshot, const Pod& pod, std::size_t node = 0) {
  const Cluster cluster(snapshot);
  return texts<VolumeBinding>(cluster, pod, node);
}

std::string refused(const SchedulingFacts& facts, const Pod& pod) {
  const Snapshot snapshot = seen({zoned_node("a", "z1")}, {}, facts);
  const Cluster cluster(snapshot);
  return refusal<VolumeBinding>(cluster, pod);
}

}  // namespace

TEST_CASE("claims are checked in the order of the pod's volumes, the first mistake counts") {
  Pod pod = pod_with_claims("p", "", {"data"});
  CHECK(refused({}, pod) == "persistentvolumeclaim \"data\" not found");

  SchedulingFacts facts;
  facts.volume_claims = {bound_claim("data", "pv")};
  facts.volume_claims[0].phase = "Lost";
  CHECK(refused(facts, pod) ==
        "persistentvolumeclaim \"data\" bound to non-existent persistentvolume \"pv\"");
  facts.volume_claims[0].phase = "Bound";
  facts.volume_claims[0].deleted = gpu::Time{};
  CHECK(refused(facts, pod) == "persistentvolumeclaim \"data\" is being deleted");
  pod.volumes.insert(pod.volumes.begin(), {.name = "first", .claim = "first"});
  CHECK(refused(facts, pod) == "persistentvolumeclaim \"first\" not found");
}

TEST_CASE("an ephemeral volume waits for its claim, which must be the pod's own") {
  Pod pod = pod_with_claims("p", "", {});
  pod.volumes = {{.name = "scratch", .claim = "p-scratch", .is_ephemeral = true}};
  CHECK(refused({}, pod) ==
        "waiting for ephemeral volume controller to create the persistentvolumeclaim "
        "\"p-scratch\"");
  SchedulingFacts facts;
  facts.volume_claims = {bound_claim("p-scratch", "pv")};
  facts.volumes = {volume("pv", "fast")};
  CHECK(refused(facts, pod) == "PVC ml/p-scratch was not created for pod ml/p (pod is not owner)");
  facts.volume_claims[0].owner_uid = pod.uid;
  CHECK(refused(facts, pod).empty());
}

TEST_CASE("an unbound claim blocks the pod unless its class waits for a node") {
  constexpr const char* kUnbound = "pod has unbound immediate PersistentVolumeClaims";
  const Pod pod = pod_with_claims("p", "", {"data"});
  SchedulingFacts facts;
  facts.volume_claims = {waiting_claim("data", "slow")};
  CHECK(refused(facts, pod) == kUnbound);  // no such class
  facts.storage_classes = {{.name = "slow", .provisioner = "x"}};
  CHECK(refused(facts, pod) == kUnbound);
  facts.storage_classes[0].waits_for_consumer = true;
  CHECK(refused(facts, pod).empty());
  facts.volume_claims[0].volume = "pv";  // without bind-completed
  CHECK(refused(facts, pod) == kUnbound);
  facts.volume_claims[0].volume.clear();
  facts.volume_claims[0].storage_class = std::nullopt;
  CHECK(refused(facts, pod) == kUnbound);
}

TEST_CASE("a bound volume binds the pod to nodes that its affinity selects") {
  SchedulingFacts facts;
  facts.volume_claims = {bound_claim("data", "pv")};
  facts.volumes = {volume("pv", "fast")};
  facts.volumes[0].node_affinity = label_is("topology.kubernetes.io/zone", "z2");
  const Pod pod = pod_with_claims("p", "", {"data"});
  const Snapshot snapshot = seen({zoned_node("a", "z1"), zoned_node("b", "z2")}, {}, facts);
  CHECK(asked(snapshot, pod, 0) == Texts{kElsewhere});
  CHECK(asked(snapshot, pod, 1).empty());

  facts.volumes.clear();
  CHECK(asked(seen({zoned_node("a", "z1")}, {}, facts), pod) ==
        Texts{"node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"});
}

TEST_CASE("names of nodes in a volume's affinity select no node") {
  SchedulingFacts facts;
  facts.volume_claims = {bound_claim("data", "pv")};
  facts.volumes = {volume("pv", "fast")};
  facts.volumes[0].node_affinity = gpu::NodeSelector{{.fields = {{"metadata.name", "In", {"a"}}}}};
  const Pod pod = pod_with_claims("p", "", {"data"});
  CHECK(asked(seen({zoned_node("a", "z1")}, {}, facts), pod) == Texts{kElsewhere});
}

TEST_CASE("a delayed claim takes a volume that is there, or has one made") {
  SchedulingFacts facts;
  facts.volume_claims = {waiting_claim("data", "local", 10)};
  facts.storage_classes = {delayed_class("local", "kubernetes.io/no-provisioner")};
  const Pod pod = pod_with_claims("p", "", {"data"});
  const auto on_node = [&] { return asked(seen({zoned_node("a", "z1")}, {}, facts), pod); };
  CHECK(on_node() == Texts{kNone});

  facts.volumes = {volume("pv", "local", 10)};
  CHECK(on_node().empty());
  SECTION("too small") { facts.volumes[0].storage = gpu::Quantity::of(1); }
  SECTION("of another class") { facts.volumes[0].storage_class = "other"; }
  SECTION("another mode of access") { facts.volumes[0].access_modes = {"ReadOnlyMany"}; }
  SECTION("a block device") { facts.volumes[0].volume_mode = "Block"; }
  SECTION("released") { facts.volumes[0].phase = "Released"; }
  SECTION("going away") { facts.volumes[0].deleted = gpu::Time{}; }
  SECTION("elsewhere") { facts.volumes[0].node_affinity = label_is("zone", "z9"); }
  SECTION("of another claim") {
    facts.volumes[0].claim_ns = "ml";
    facts.volumes[0].claim_name = "theirs";
  }
  SECTION("not selected") {
    facts.volume_claims[0].selector = gpu::ObjectSelector{.labels = {{"tier", "gold"}}};
  }
  CHECK(on_node() == Texts{kNone});
}

TEST_CASE("a volume that is reserved for the claim is taken in any phase, or none is") {
  SchedulingFacts facts;
  facts.volume_claims = {waiting_claim("data", "local", 1)};
  facts.storage_classes = {delayed_class("local", "kubernetes.io/no-provisioner")};
  facts.volumes = {volume("a-free", "local"), volume("b-reserved", "local")};
  facts.volumes[1].claim_ns = "ml";
  facts.volumes[1].claim_name = "data";
  facts.volumes[1].phase = "Bound";
  facts.volumes[0].phase = "Released";
  const Pod pod = pod_with_claims("p", "", {"data"});
  CHECK(asked(seen({zoned_node("a", "z1")}, {}, facts), pod).empty());
  facts.volumes[0].phase = "Available";
  facts.volumes[1].node_affinity = label_is("topology.kubernetes.io/zone", "z9");
  CHECK(asked(seen({zoned_node("a", "z1")}, {}, facts), pod) == Texts{kNone});
  facts.volumes[1].claim_uid = "another";
  CHECK(asked(seen({zoned_node("a", "z1")}, {}, facts), pod).empty());
}

TEST_CASE("claims of one pod share no volume, and the smaller takes the smaller") {
  SchedulingFacts facts;
  facts.volume_claims = {waiting_claim("big", "local", 10), waiting_claim("small", "local", 1)};
  facts.storage_classes = {delayed_class("local", "kubernetes.io/no-provisioner")};
  facts.volumes = {volume("v10", "local", 10), volume("v2", "local", 2)};
  const Pod pod = pod_with_claims("p", "", {"big", "small"});
  CHECK(asked(seen({zoned_node("a", "z1")}, {}, facts), pod).empty());
  facts.volumes.pop_back();
  CHECK(asked(seen({zoned_node("a", "z1")}, {}, facts), pod) == Texts{kNone});
}

TEST_CASE("volumes are made where the class allows it") {
  SchedulingFacts facts;
  facts.volume_claims = {waiting_claim("data", "fast")};
  facts.storage_classes = {delayed_class("fast", "csi.example.com")};
  facts.storage_classes[0].allowed_topologies = label_is("topology.kubernetes.io/zone", "z2");
  const Pod pod = pod_with_claims("p", "", {"data"});
  const auto nodes = [] {
    return std::vector<gpu::Node>{zoned_node("a", "z1"), zoned_node("b", "z2")};
  };
  CHECK(asked(seen(nodes(), {}, facts), pod, 0) == Texts{kNone});
  CHECK(asked(seen(nodes(), {}, facts), pod, 1).empty());
  facts.volume_claims[0].selected_node = "a";
  CHECK(asked(seen(nodes(), {}, facts), pod, 1) == Texts{kNone});
}

TEST_CASE("a driver that tells its capacity needs some that the node reaches") {
  SchedulingFacts facts;
  facts.volume_claims = {waiting_claim("data", "fast", 10)};
  facts.storage_classes = {delayed_class("fast", "csi.example.com")};
  facts.csi_drivers = {{.name = "csi.example.com", .storage_capacity = true}};
  const Pod pod = pod_with_claims("p", "", {"data"});
  const auto on_node = [&] { return asked(seen({zoned_node("a", "z1")}, {}, facts), pod); };
  CHECK(on_node() == Texts{kNoSpace});
  facts.storage_capacities = {{.storage_class = "fast", .topology = gpu::ObjectSelector{}}};
  CHECK(on_node() == Texts{kNoSpace});  // of unknown size
  facts.storage_capacities[0].capacity = gpu::Quantity::of(20 * gpu::make::kGibi);
  CHECK(on_node().empty());
  facts.storage_capacities[0].maximum_volume_size = gpu::Quantity::of(gpu::make::kGibi);
  CHECK(on_node() == Texts{kNoSpace});
  facts.storage_capacities[0].maximum_volume_size.reset();
  facts.storage_capacities[0].topology->labels.set("topology.kubernetes.io/zone", "z2");
  CHECK(on_node() == Texts{kNoSpace});
  facts.csi_drivers[0].storage_capacity = false;
  CHECK(on_node().empty());
}

TEST_CASE("a node may have several reasons, in the plugin's order") {
  SchedulingFacts facts;
  facts.volume_claims = {bound_claim("data", "pv"), waiting_claim("more", "local")};
  facts.storage_classes = {delayed_class("local", "kubernetes.io/no-provisioner")};
  facts.volumes = {volume("pv", "fast")};
  facts.volumes[0].node_affinity = label_is("zone", "z9");
  const Pod pod = pod_with_claims("p", "", {"data", "more"});
  CHECK(asked(seen({zoned_node("a", "z1")}, {}, facts), pod) == Texts{kElsewhere, kNone});
}

TEST_CASE("what was not read is not judged") {
  SchedulingFacts facts;
  facts.volume_claims = {waiting_claim("data", "fast")};
  facts.storage_classes = {delayed_class("fast", "csi.example.com")};
  Snapshot snapshot = seen({zoned_node("a", "z1")}, {}, facts);
  const Pod pod = pod_with_claims("p", "", {"data", "other"});
  snapshot.scheduling.coverages["persistentvolumeclaims"] = Coverage::none;
  {
    const Cluster cluster(snapshot);
    const auto before = VolumeBinding(cluster, pod).before();
    CHECK_FALSE(before.refusal);
    CHECK(before.not_checked == Texts{"PersistentVolumeClaim other"});
  }
  const Pod one = pod_with_claims("p", "", {"data"});
  snapshot.scheduling.coverages["persistentvolumes"] = Coverage::partial;
  const Cluster cluster(snapshot);
  const auto before = VolumeBinding(cluster, one).before();
  CHECK(before.skips);
  CHECK(before.not_checked == Texts{"where volumes can be used: no PersistentVolumes were read"});
}

namespace {

/// A volume of the old kind in `zones`, and what node a of zone z1, with its driver's labels, says.
struct Moved {
  explicit Moved(std::string kind) {
    facts.volume_claims = {bound_claim("data", "pv")};
    facts.volumes = {volume("pv", "fast")};
    facts.volumes[0].legacy_driver = std::move(kind);
    facts.csi_nodes = {{.name = "a",
                        .annotations = {{"storage.alpha.kubernetes.io/migrated-plugins",
                                         "kubernetes.io/gce-pd,kubernetes.io/aws-ebs"}},
                        .drivers = {}}};
    node = zoned_node("a", "z1");
  }
  [[nodiscard]] Texts ask() const {
    return asked(seen({node}, {}, facts), pod_with_claims("p", "", {"data"}));
  }
  gpu::PersistentVolume& pv() { return facts.volumes[0]; }

  SchedulingFacts facts;
  gpu::Node node;
};

}  // namespace

TEST_CASE("where a kind of volume moved to CSI, its zones are those of the driver") {
  Moved moved("awsElasticBlockStore");
  CHECK(moved.ask().empty());
  moved.pv().labels = {{"topology.kubernetes.io/zone", "z1__z2"}};
  CHECK(moved.ask() == Texts{kElsewhere});  // the node lacks the driver's label
  moved.node.labels.set("topology.ebs.csi.aws.com/zone", "z2");
  CHECK(moved.ask().empty());
  moved.pv().labels = {{"failure-domain.beta.kubernetes.io/zone", "z3"}};
  CHECK(moved.ask() == Texts{kElsewhere});

  moved.pv().labels.clear();
  moved.pv().node_affinity = label_is("topology.kubernetes.io/zone", "z1");
  CHECK(moved.ask() == Texts{kElsewhere});
  moved.pv().node_affinity = label_is("topology.kubernetes.io/zone", "z2");
  CHECK(moved.ask().empty());
  moved.facts.csi_nodes[0].annotations.clear();
  CHECK(moved.ask() == Texts{kElsewhere});  // as it is written
}

TEST_CASE("the old label of regions is read as the new one beside the old label of zones") {
  Moved moved("gcePersistentDisk");
  moved.node.labels.set("topology.gke.io/zone", "z1");
  moved.node.labels.set("topology.kubernetes.io/region", "r1");
  gpu::NodeSelector both = label_is("failure-domain.beta.kubernetes.io/zone", "z1");
  both[0].expressions.push_back({"failure-domain.beta.kubernetes.io/region", "In", {"r1"}});
  moved.pv().node_affinity = both;
  CHECK(moved.ask().empty());
  both[0].expressions[0].key = "topology.kubernetes.io/zone";
  moved.pv().node_affinity = both;
  CHECK(moved.ask() == Texts{kElsewhere});
}

TEST_CASE("zones of a disk that are of no one region end the cycle") {
  Moved moved("gcePersistentDisk");
  moved.pv().labels = {{"topology.kubernetes.io/zone", "us-east1-b__us-east1-c"}};
  CHECK(moved.ask() == Texts{kElsewhere});
  moved.pv().labels = {{"topology.kubernetes.io/zone", "us-east1-b__eu-west1-c"}};
  CHECK(moved.ask() == Texts{"error: could not translate pv: failed to get region from zones: "
                             "multiple or no regions gotten from zones, got: map[eu-west1:{} "
                             "us-east1:{}]"});
  moved.pv().labels = {{"topology.kubernetes.io/zone", "a__b"}};
  CHECK(moved.ask() == Texts{"error: could not translate pv: failed to get region from zones: zone "
                             "in unexpected format, expected: {locale}-{region}-{zone}, got: a"});
}

TEST_CASE("disks that their CSI drivers do not have end the cycle") {
  Moved moved("awsElasticBlockStore");
  for (const char* const known : {"vol-1", "anything", "aws://z1/vol-1", "aws:///vol-1/"}) {
    moved.pv().csi_handle = known;
    CHECK(moved.ask().empty());
  }
  moved.pv().csi_handle = "aws://z1/x/vol-1";
  CHECK(moved.ask() == Texts{"error: could not translate pv: failed to translate Kubernetes ID to "
                             "EBS Volume ID Invalid format for AWS volume (aws://z1/x/vol-1)"});
  Moved azure("azureDisk:Dedicated");
  CHECK(azure.ask().empty());  // the node does not say that it moved
  azure.facts.csi_nodes[0].annotations = {
      {"storage.alpha.kubernetes.io/migrated-plugins", "kubernetes.io/azure-disk"}};
  CHECK(azure.ask() == Texts{"error: could not translate pv: kind(Dedicated) is not supported in "
                             "csi migration"});
}

TEST_CASE("a volume is taken only by a claim of its class of attributes") {
  SchedulingFacts facts;
  facts.storage_classes = {delayed_class("fast", "kubernetes.io/no-provisioner")};
  facts.volume_claims = {waiting_claim("data", "fast")};
  facts.volumes = {volume("pv", "fast")};
  const auto ask = [&] {
    return asked(seen({zoned_node("a", "z1")}, {}, facts), pod_with_claims("p", "", {"data"}));
  };
  CHECK(ask().empty());
  facts.volume_claims[0].attributes_class = "gold";
  CHECK(ask() == Texts{"node(s) didn't find available persistent volumes to bind"});
  facts.volumes[0].attributes_class = "gold";
  CHECK(ask().empty());
  facts.volume_claims[0].attributes_class.clear();
  CHECK(ask() == Texts{"node(s) didn't find available persistent volumes to bind"});
}

}  // namespace volumes_volume_binding_test
