#include "scheduler/devices/dynamic_resources.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "diagnose/stack/dra_driver.hpp"
#include "diagnose/stack/gpu_stack.hpp"
#include "make.hpp"
#include "scheduler/cycle/judge.hpp"
#include "scheduler/devices/shortage.hpp"
#include "scheduler/devices/supply.hpp"

namespace devices_dynamic_resources_test {

namespace {

using gpu::Coverage;
using gpu::Device;
using gpu::Pod;
using gpu::Quantity;
using gpu::ResourceClaim;
using gpu::ResourceSlice;
using gpu::Snapshot;
using gpu::scheduler::Cluster;
using gpu::scheduler::DynamicResources;
using gpu::scheduler::Findings;
using Texts = std::vector<std::string>;

constexpr const char* kNone = "cannot allocate all claims";
constexpr const char* kDriver = "gpu.nvidia.com";

Device card(const std::string& name) {
  Device device{.name = name};
  device.attributes = {{"type", "gpu"}, {"uuid", "GPU-" + name}};
  return device;
}

ResourceSlice slice(std::vector<Device> devices) {
  return {.name = "slice-a",
          .driver = kDriver,
          .pool = "a",
          .generation = 1,
          .slice_count = 1,
          .node_name = "a",
          .devices = std::move(devices)};
}

ResourceClaim claim(const std::string& name, std::int64_t count) {
  ResourceClaim made{.ns = "ml", .name = name};
  made.requests = {{.name = "gpus", .device_class = kDriver, .count = count}};
  return made;
}

/// Node a with one slice, a class for its driver, and a claim "mine" for `count` devices.
Snapshot with(std::vector<Device> devices, std::int64_t count, std::string version = "v1.36.1") {
  Snapshot made = gpu::make::snapshot({gpu::make::node("a", 0)}, {});
  made.server_version = std::move(version);
  made.slices = {slice(std::move(devices))};
  made.claims = {claim("mine", count)};
  made.device_classes = {{.name = kDriver, .selectors = {"device.driver == 'gpu.nvidia.com'"}}};
  made.slice_coverage = made.claim_coverage = Coverage::whole;
  return made;
}

Pod pod_with(const std::string& claim_name) {
  Pod pod = gpu::make::pod("p", "", 0);
  pod.uid = "uid-p";
  pod.claim_slots = {{.name = "slot", .claim = claim_name}};
  return pod;
}

void hold(Snapshot& snapshot, const std::string& device) {
  ResourceClaim held{.ns = "ml", .name = "held-" + device, .is_allocated = true};
  held.devices = {{.id = {kDriver, "a", device}, .request = "gpus"}};
  snapshot.claims.insert(snapshot.claims.begin(), held);
}

Texts asked(const Snapshot& snapshot, const Pod& pod) {
  const Cluster cluster(snapshot);
  const DynamicResources filter(cluster, pod);
  Findings findings(gpu::scheduler::Filter::dynamic_resources);
  filter.ask({cluster, 0, cluster.nodes()[0]}, findings);
  Texts texts;
  for (const auto& each : findings.found()) texts.emplace_back(findings.text(each));
  if (findings.error()) texts.push_back("error: " + findings.error()->text);
  for (const std::string& each : findings.not_checked()) texts.push_back("not checked: " + each);
  return texts;
}

Texts asked(const Snapshot& snapshot) { return asked(snapshot, pod_with("mine")); }

std::string refused(const Snapshot& snapshot, const Pod& pod) {
  const Cluster cluster(snapshot);
  const auto before = DynamicResources(cluster, pod).before();
  return before.refusal ? before.refusal->message : "";
}

}  // namespace

TEST_CASE("a claim must be there, be kept, and be the pod's own") {
  Snapshot snapshot = with({card("0")}, 1);
  CHECK(refused(snapshot, pod_with("other")) ==
        "resourceclaim.resource.k8s.io \"other\" not found");
  Pod pod = pod_with("");
  pod.claim_slots[0].claim_template = "template";
  CHECK(refused(snapshot, pod) == "pod \"ml/p\": ResourceClaim not created yet");
  // Such a pod is not queued, and the scheduler writes no message.
  const Cluster cluster(snapshot);
  CHECK(predicted_message(cluster, pod, judge(cluster, pod)).empty());
  pod.claim_slots[0].claim = "mine";
  CHECK(refused(snapshot, pod) ==
        "ResourceClaim ml/mine was not created for Pod ml/p (Pod is not owner)");
  snapshot.claims[0].owner_uid = pod.uid;
  CHECK(refused(snapshot, pod).empty());
  snapshot.claims[0].deleted = gpu::Time{};
  CHECK(refused(snapshot, pod) == "resourceclaim \"mine\" is being deleted");
}

TEST_CASE("a class must be there, of alternatives too") {
  Snapshot snapshot = with({card("0")}, 1);
  snapshot.claims[0].requests[0].device_class = "none";
  CHECK(refused(snapshot, pod_with("mine")) == "request gpus: device class none does not exist");
  snapshot.claims[0].requests[0].alternatives = {{.name = "big", .device_class = "none"}};
  CHECK(refused(snapshot, pod_with("mine")) ==
        "request gpus/big: device class none does not exist");
}

TEST_CASE("of classes that were not read none is missing") {
  Snapshot snapshot = with({card("0")}, 1);
  snapshot.device_classes.clear();
  const auto before = [&] {
    const Cluster cluster(snapshot);
    const Pod pod = pod_with("mine");
    return DynamicResources(cluster, pod).before();
  };
  CHECK_FALSE(before().refusal);
  CHECK(before().not_checked == Texts{"DeviceClasses of claim mine"});
  snapshot.scheduling.coverages["deviceclasses"] = Coverage::whole;
  CHECK(before().refusal);
}

namespace {

/// Nodes with 60 cards each in groups of three, and a claim for 8 times 3 of one group, which none
/// has.
Snapshot hard_choice(int nodes) {
  constexpr int devices = 60;
  Snapshot made = with({}, 30);
  made.nodes.clear();
  made.slices.clear();
  for (int n = 0; n < nodes; ++n) {
    const std::string name = "n" + std::to_string(n);
    made.nodes.push_back(gpu::make::node(name, 0));
    std::vector<Device> cards;
    for (int i = 0; i < devices; ++i) {
      cards.push_back(card(std::to_string(i)));
      for (int bit = 0; bit < 30; ++bit)
        cards.back().attributes.set("a" + std::to_string(bit), std::to_string(i / 3));
    }
    made.slices.push_back(slice(std::move(cards)));
    made.slices.back().name = made.slices.back().pool = made.slices.back().node_name = name;
  }
  ResourceClaim& claim = made.claims[0];
  claim.requests.clear();
  for (int i = 0; i < 8; ++i)
    claim.requests.push_back(
        {.name = "r" + std::to_string(i), .device_class = kDriver, .count = 3});
  for (int bit = 0; bit < 30; ++bit)
    claim.constraints.push_back(
        {.match_attribute = std::string(kDriver) + "/a" + std::to_string(bit)});
  return made;
}

}  // namespace

TEST_CASE("a search that is given up names its node, and says nowhere that the pod fits") {
  Snapshot snapshot = hard_choice(6);
  const Pod pod = pod_with("mine");
  {
    const Cluster cluster(snapshot);
    const auto verdict = gpu::scheduler::judge(cluster, pod);
    CHECK(verdict.not_checked.empty());
    CHECK_FALSE(verdict.fits());
  }
  // The last request asks for what is not there, after any choice for the others.
  snapshot.claims[0].requests.back().count = 4;
  snapshot.claims[0].constraints.resize(1);
  snapshot.claims[0].constraints[0].requests = {"r7"};
  const Cluster cluster(snapshot);
  const auto verdict = gpu::scheduler::judge(cluster, pod);
  const std::string of = ": too many ways to choose them";
  CHECK(verdict.not_checked == Texts{"devices of n0" + of, "devices of n1" + of,
                                     "devices of n2" + of, "devices of n3" + of,
                                     "devices of n4" + of, "devices of other nodes" + of});
  CHECK(verdict.fitting() == 6);
  CHECK_FALSE(verdict.fits());
}

TEST_CASE("devices that others hold are not there") {
  Snapshot snapshot = with({card("0"), card("1")}, 2);
  CHECK(asked(snapshot).empty());
  hold(snapshot, "0");
  CHECK(asked(snapshot) == Texts{kNone});
  snapshot.claims[0].devices[0].admin_access = true;
  CHECK(asked(snapshot).empty());
}

TEST_CASE("selectors choose, their errors end the cycle, what is unclear stays open") {
  Snapshot snapshot = with({card("0")}, 1);
  auto& selectors = snapshot.claims[0].requests[0].selectors;
  selectors = {"device.attributes['gpu.nvidia.com'].type == 'mig'"};
  CHECK(asked(snapshot) == Texts{kNone});
  selectors = {"device.attributes['gpu.nvidia.com'].profile == 'x'"};
  CHECK(asked(snapshot) == Texts{"error: claim "
                                 "ml/mine: selector #0: CEL runtime error: no such key: profile"});
  selectors = {"1.5 < 2.0"};
  CHECK(asked(snapshot) == Texts{"not checked: selector of claim ml/mine, which is not "
                                 "understood: 1.5 < 2.0"});
  hold(snapshot, "0");
  CHECK(asked(snapshot) == Texts{kNone});  // devices in use are not held against selectors
}

TEST_CASE("an incomplete pool gives nothing in 1.36, and its devices in 1.34") {
  Snapshot snapshot = with({card("0")}, 1);
  snapshot.slices[0].slice_count = 2;
  CHECK(asked(snapshot) == Texts{kNone});
  snapshot.server_version = "v1.34.4";
  CHECK(asked(snapshot).empty());
  snapshot.server_version = "v1.36.1";
  snapshot.claims[0].requests[0].wants_all = true;
  CHECK(asked(snapshot) ==
        Texts{"error: claim ml/mine, request gpus: "
              "asks for all devices, but resource pool gpu.nvidia.com/a is currently being "
              "updated"});
}

TEST_CASE("the newest generation counts, and a pool that contradicts itself is named") {
  Snapshot snapshot = with({card("0")}, 1);
  ResourceSlice newer = slice({});
  newer.name = "slice-b";
  newer.generation = 2;
  snapshot.slices.push_back(newer);
  CHECK(asked(snapshot) == Texts{kNone});
  snapshot = with({card("0"), card("0")}, 1);
  CHECK(asked(snapshot) == Texts{"invalid resource pools were encountered"});
}

TEST_CASE("a device that stands twice ends the cycle in 1.34") {
  Snapshot snapshot = with({card("0"), card("0")}, 1, "v1.34.4");
  CHECK(asked(snapshot) == Texts{"error: pool a is invalid: duplicate device name 0"});
  snapshot.server_version = "v1.35.0";
  CHECK(asked(snapshot) == Texts{"invalid resource pools were encountered"});
}

TEST_CASE("taints keep devices from requests that do not tolerate them") {
  Snapshot snapshot = with({card("0")}, 1);
  snapshot.slices[0].devices[0].taints = {{"gpu.nvidia.com/xid", "79", "NoSchedule"}};
  CHECK(asked(snapshot) == Texts{kNone});
  snapshot.claims[0].requests[0].tolerations = {{.key = "gpu.nvidia.com/xid", .op = "Exists"}};
  CHECK(asked(snapshot).empty());
  snapshot.claims[0].requests[0].tolerations.clear();
  snapshot.slices[0].devices[0].taints[0].effect = "None";
  CHECK(asked(snapshot).empty());
}

TEST_CASE("All takes every device and needs one") {
  Snapshot snapshot = with({card("0"), card("1")}, 1);
  snapshot.claims[0].requests[0].wants_all = true;
  CHECK(asked(snapshot).empty());
  hold(snapshot, "1");
  CHECK(asked(snapshot) == Texts{kNone});
  snapshot = with({}, 1);
  snapshot.claims[0].requests[0].wants_all = true;
  CHECK(asked(snapshot) == Texts{kNone});
}

TEST_CASE("All takes no device that its selectors do not choose") {
  Snapshot snapshot = with({card("0"), card("1")}, 1);
  snapshot.slices[0].devices[1].attributes = {{"type", "mig"}, {"uuid", "MIG-1"}};
  snapshot.claims[0].requests[0].wants_all = true;
  snapshot.claims[0].requests[0].selectors = {"device.attributes['gpu.nvidia.com'].type == 'gpu'"};
  hold(snapshot, "1");
  CHECK(asked(snapshot).empty());
}

TEST_CASE("more than 32 devices are an error of the claim") {
  CHECK(asked(with({card("0")}, 33)) ==
        Texts{"error: claim ml/mine: number of "
              "requested devices 33 exceeds the claim limit of 32"});
}

TEST_CASE("alternatives are tried in their order") {
  Snapshot snapshot = with({card("0")}, 1);
  auto& request = snapshot.claims[0].requests[0];
  request.alternatives = {{.name = "two", .device_class = kDriver, .count = 2},
                          {.name = "one", .device_class = kDriver, .count = 1}};
  CHECK(asked(snapshot).empty());
  request.alternatives.pop_back();
  CHECK(asked(snapshot) == Texts{kNone});
}

TEST_CASE("matchAttribute wants one value, and devices are tried until they agree") {
  Snapshot snapshot = with({card("0"), card("1"), card("2")}, 2);
  auto& devices = snapshot.slices[0].devices;
  devices[0].attributes.set("root", "x");
  devices[1].attributes.set("root", "y");
  devices[2].attributes.set("root", "y");
  snapshot.claims[0].constraints = {{.match_attribute = "gpu.nvidia.com/root"}};
  CHECK(asked(snapshot).empty());
  devices[2].attributes.set("root", "z");
  CHECK(asked(snapshot) == Texts{kNone});
  snapshot.claims[0].constraints = {{.distinct_attribute = "gpu.nvidia.com/root"}};
  CHECK(asked(snapshot).empty());
  snapshot.claims[0].constraints = {{.match_attribute = "gpu.nvidia.com/none"}};
  CHECK(asked(snapshot) == Texts{kNone});
}

TEST_CASE("a list is an attribute that the default scheduler cannot read") {
  Device listed = card("0");
  listed.attribute_types.set("gpu.nvidia.com/links", gpu::AttributeType::string);
  Snapshot snapshot = with({listed, listed, card("2")}, 1);
  snapshot.slices[0].devices[1].name = "1";
  CHECK(asked(snapshot) ==
        Texts{"error: class gpu.nvidia.com: selector #0: CEL runtime error: attribute "
              "gpu.nvidia.com/links: unsupported attribute value"});
  snapshot.device_classes[0].selectors.clear();
  CHECK(asked(snapshot).empty());
  // A first device may have it, no other has the same, or another one.
  gpu::DeviceConstraint& same = snapshot.claims[0].constraints.emplace_back();
  same.match_attribute = "gpu.nvidia.com/links";
  CHECK(asked(snapshot).empty());
  snapshot.claims[0].requests[0].count = 2;
  CHECK(asked(snapshot) == Texts{kNone});
  same = {.distinct_attribute = "gpu.nvidia.com/links"};
  CHECK(asked(snapshot) == Texts{kNone});
  snapshot.slices[0].devices[0].attribute_types.set("gpu.nvidia.com/links",
                                                    gpu::AttributeType::integer);
  snapshot.slices[0].devices[2].attributes.set("links", "1");
  CHECK(asked(snapshot).empty());
}

TEST_CASE("a search that takes too long is given up, and sooner the next time") {
  std::vector<Device> devices;
  for (int i = 0; i < 100; ++i) {
    devices.push_back(card(std::to_string(i)));
    devices.back().attributes.set("model", i % 4 == 0 ? "a" : i % 4 == 1 ? "b" : "c");
  }
  Snapshot snapshot = with(std::move(devices), 30);
  snapshot.claims[0].constraints = {{.match_attribute = "gpu.nvidia.com/model"}};
  snapshot.slices[0].devices.resize(76);  // 19 of each of two models, 38 of the third
  CHECK(asked(snapshot) == Texts{"not checked: devices of a: too many ways to choose them"});
  const Cluster cluster(snapshot);
  const auto& supply = cluster.shared<gpu::scheduler::DeviceSupply>();
  CHECK_FALSE(supply.is_hard(snapshot.claims[0]));
  const Pod pod = pod_with("mine");
  Findings findings(gpu::scheduler::Filter::dynamic_resources);
  DynamicResources(cluster, pod).ask({cluster, 0, cluster.nodes()[0]}, findings);
  CHECK(supply.is_hard(snapshot.claims[0]));
}

TEST_CASE("before 1.36 a search in every order may outlast the scheduler's patience") {
  std::vector<Device> devices;
  for (int i = 0; i < 10; ++i) devices.push_back(card(std::to_string(i)));
  Snapshot snapshot = with(std::move(devices), 8);
  snapshot.claims[0].requests.push_back({.name = "more", .device_class = kDriver, .count = 3});
  CHECK(asked(snapshot) == Texts{kNone});
  snapshot.server_version = "v1.34.4";
  CHECK(
      asked(snapshot) ==
      Texts{kNone, "not checked: whether kube-scheduler tries all ways to choose devices in time"});
  snapshot.claims[0].requests[0].count = 11;
  snapshot.claims[0].requests.pop_back();
  snapshot.slices[0].devices.resize(4);
  CHECK(asked(snapshot) == Texts{kNone});
}

TEST_CASE("partitions live off the counters of their pool") {
  Snapshot snapshot = with({card("whole"), card("half-1"), card("half-2")}, 2);
  auto& devices = snapshot.slices[0].devices;
  devices[0].consumes = {{"set", {{"memory", Quantity::of(80)}}}};
  devices[1].consumes = devices[2].consumes = {{"set", {{"memory", Quantity::of(40)}}}};
  snapshot.slices[0].slice_count = 2;
  ResourceSlice counters = slice({});
  counters.name = "slice-counters";
  counters.slice_count = 2;
  counters.shared_counters = {{"set", {{"memory", Quantity::of(80)}}}};
  snapshot.slices.push_back(counters);
  CHECK(asked(snapshot).empty());
  hold(snapshot, "half-1");
  CHECK(asked(snapshot) == Texts{kNone});
  snapshot.slices[1].shared_counters.clear();
  CHECK(asked(snapshot) == Texts{"invalid resource pools were encountered"});
}

TEST_CASE("a device that allows several gives its capacity in shares") {
  Snapshot snapshot = with({card("0")}, 1);
  Device& device = snapshot.slices[0].devices[0];
  device.allow_multiple = true;
  device.capacity = {{"memory", Quantity::of(80)}};
  snapshot.claims[0].requests[0].capacity = {{"memory", Quantity::of(50)}};
  CHECK(asked(snapshot).empty());
  hold(snapshot, "0");
  snapshot.claims[0].devices[0].share_id = "share";
  snapshot.claims[0].devices[0].consumed = {{"memory", Quantity::of(40)}};
  CHECK(asked(snapshot) == Texts{kNone});
  device.default_request = {{"memory", Quantity::of(10)}};
  CHECK(asked(snapshot) == Texts{"not checked: capacity that request gpus requires"});
}

TEST_CASE("an allocated claim is available where its selector says") {
  Snapshot snapshot = with({card("0")}, 1);
  snapshot.claims[0].is_allocated = true;
  snapshot.claims[0].node_selector =
      gpu::NodeSelector{{.fields = {{"metadata.name", "In", {"b"}}}}};
  CHECK(asked(snapshot) == Texts{"resourceclaim not available on the node"});
  const Cluster cluster(snapshot);
  const Pod pod = pod_with("mine");
  const DynamicResources filter(cluster, pod);
  CHECK(filter.has_claims());
  CHECK(filter.may_deallocate({cluster, 0, cluster.nodes()[0]}));
}

TEST_CASE("slices of other nodes, of selected nodes and of single devices") {
  Snapshot snapshot = with({card("0")}, 1);
  ResourceSlice& only = snapshot.slices[0];
  only.node_name = "b";
  CHECK(asked(snapshot) == Texts{kNone});
  only.node_name.clear();
  only.is_on_all_nodes = true;
  CHECK(asked(snapshot).empty());
  only.is_on_all_nodes = false;
  only.selects_per_device = true;
  CHECK(asked(snapshot) == Texts{kNone});
  only.devices[0].node_name = "a";
  CHECK(asked(snapshot).empty());
}

TEST_CASE("before 1.36 slices that need a newer feature are not looked at") {
  Snapshot snapshot = with({card("0")}, 1, "v1.34.4");
  CHECK(asked(snapshot).empty());
  snapshot.slices[0].shared_counters = {{"set", {{"memory", Quantity::of(80)}}}};
  CHECK(asked(snapshot) == Texts{kNone});
  snapshot.slices[0].shared_counters.clear();
  snapshot.slices[0].selects_per_device = true;
  snapshot.slices[0].devices[0].node_name = "a";
  CHECK(asked(snapshot) == Texts{kNone});
}

TEST_CASE("a class provides an extended resource where the node has none, from 1.36 on") {
  Snapshot snapshot = with({card("0")}, 1);
  snapshot.device_classes[0].extended_resource = "nvidia.com/gpu";
  const Pod two = gpu::make::pod("p", "", 2);
  CHECK(asked(snapshot, gpu::make::pod("p", "", 1)).empty());
  CHECK(asked(snapshot, two) == Texts{kNone});
  {
    const Cluster cluster(snapshot);
    CHECK(DynamicResources(cluster, two).serves("nvidia.com/gpu"));
    CHECK(
        DynamicResources(cluster, two).serves("deviceclass.resource.kubernetes.io/gpu.nvidia.com"));
  }
  snapshot.nodes[0].allocatable.set("nvidia.com/gpu", Quantity::of(1));
  CHECK(asked(snapshot, two).empty());  // NodeResourcesFit counts it
  snapshot.server_version = "v1.34.4";
  const Cluster cluster(snapshot);
  CHECK_FALSE(DynamicResources(cluster, two).serves("nvidia.com/gpu"));
}

TEST_CASE("amounts of an extended resource that nothing can hold do not overflow") {
  Snapshot snapshot = with({card("0")}, 1);
  snapshot.device_classes[0].extended_resource = "nvidia.com/gpu";
  const Quantity most = Quantity::of(std::numeric_limits<std::int64_t>::max());
  Pod pod = gpu::make::pod("p", "", 0);
  for (int i = 0; i < 3; ++i) {
    pod.containers.push_back({.name = "c", .requests = {{"nvidia.com/gpu", most}}});
    pod.init_containers.push_back({.name = "i", .requests = {{"nvidia.com/gpu", most}}});
  }
  CHECK(asked(snapshot, pod).size() == 1);
  pod.containers = {{.name = "c", .requests = {{"nvidia.com/gpu", Quantity::of(-1)}}}};
  pod.init_containers.clear();
  CHECK(asked(snapshot, pod).empty());
}

TEST_CASE("what a node lacks is told by request") {
  Snapshot snapshot = with({card("0"), card("1"), card("2")}, 3);
  hold(snapshot, "0");
  snapshot.slices[0].devices[1].taints = {{"xid", "", "NoExecute"}};
  const Cluster cluster(snapshot);
  const Pod pod = pod_with("mine");
  const auto lacks = DynamicResources(cluster, pod).shortages({cluster, 0, cluster.nodes()[0]});
  REQUIRE(lacks.size() == 1);
  CHECK(lacks[0].request == "gpus");
  CHECK(lacks[0].wanted == 3);
  CHECK(lacks[0].matching == 3);
  CHECK(lacks[0].in_use == 1);
  CHECK(lacks[0].tainted == 1);
}

TEST_CASE("without ResourceSlices nothing is said of devices") {
  Snapshot snapshot = with({}, 1);
  snapshot.slice_coverage = Coverage::none;
  CHECK(asked(snapshot).empty());
  const Cluster cluster(snapshot);
  const Pod pod = pod_with("mine");
  CHECK(DynamicResources(cluster, pod).before().not_checked == Texts{"devices: no ResourceSlices"});
}

TEST_CASE("pods that end give back the devices of claims that were theirs alone") {
  Snapshot snapshot = with({card("0")}, 1);
  hold(snapshot, "0");
  ResourceClaim& held = snapshot.claims[0];
  Pod user = gpu::make::pod("q", "a", 0);
  user.uid = "uid-q";
  const auto fits_without_user = [&] {
    const Cluster cluster(snapshot);
    const Pod pod = pod_with("mine");
    Findings findings(gpu::scheduler::Filter::dynamic_resources);
    DynamicResources(cluster, pod, {&user}).ask({cluster, 0, cluster.nodes()[0]}, findings);
    return findings.found().empty();
  };
  CHECK_FALSE(fits_without_user());  // nobody has reserved it: it stays
  held.owner_uid = "uid-q";
  CHECK(fits_without_user());
  held.owner_uid.clear();
  held.reserved_for = {{"q", "uid-q"}};
  CHECK(fits_without_user());
  held.reserved_for.push_back({"r", "uid-r"});
  CHECK_FALSE(fits_without_user());
  held.reserved_for.pop_back();
  held.is_reserved_for_others = true;
  CHECK_FALSE(fits_without_user());
}

TEST_CASE("a shared claim that its users leave is allocated anew, one of theirs is gone") {
  Snapshot snapshot = with({card("0")}, 1);
  ResourceClaim& mine = snapshot.claims[0];
  mine.is_allocated = true;
  mine.node_selector = gpu::NodeSelector{{.fields = {{"metadata.name", "In", {"b"}}}}};
  mine.reserved_for = {{"q", "uid-q"}};
  Pod user = gpu::make::pod("q", "a", 0);
  user.uid = "uid-q";
  const Pod pod = pod_with("mine");
  const auto without_user = [&] {
    const Cluster cluster(snapshot);
    const DynamicResources filter(cluster, pod, {&user});
    if (const auto before = filter.before(); before.refusal) return before.refusal->message;
    Findings findings(gpu::scheduler::Filter::dynamic_resources);
    filter.ask({cluster, 0, cluster.nodes()[0]}, findings);
    return findings.found().empty() ? std::string("fits")
                                    : std::string(findings.text(findings.found()[0]));
  };
  CHECK(asked(snapshot) == Texts{"resourceclaim not available on the node"});
  CHECK(without_user() == "fits");
  mine.owner_uid = "uid-q";
  CHECK(without_user() == "resourceclaim.resource.k8s.io \"mine\" not found");
}

TEST_CASE("a claim is shared by 256 pods at most") {
  Snapshot snapshot = with({card("0")}, 1);
  snapshot.claims[0].is_allocated = true;
  for (int i = 0; i < 255; ++i)
    snapshot.claims[0].reserved_for.push_back({"q", "uid-" + std::to_string(i)});
  CHECK(refused(snapshot, pod_with("mine")).empty());
  snapshot.claims[0].reserved_for.push_back({"q", "uid-255"});
  CHECK(refused(snapshot, pod_with("mine")) == "resourceclaim in use");
  snapshot.claims[0].reserved_for.back() = {"p", "uid-p"};
  CHECK(refused(snapshot, pod_with("mine")).empty());
}

TEST_CASE("a claim that an earlier attempt left for extended resources is deleted first") {
  Snapshot snapshot = with({card("0")}, 1);
  snapshot.device_classes[0].extended_resource = "nvidia.com/gpu";
  Pod pod = gpu::make::pod("p", "", 1);
  pod.uid = "uid-p";
  {
    const Cluster cluster(snapshot);
    CHECK_FALSE(DynamicResources(cluster, pod).has_made_claim());
  }
  ResourceClaim made = claim("p-extended-resources-x7f", 1);
  made.owner_uid = "uid-p";
  snapshot.claims.push_back(made);
  CHECK(asked(snapshot, pod) == Texts{"cannot schedule extended resource claim"});
  const Cluster cluster(snapshot);
  CHECK(DynamicResources(cluster, pod).has_made_claim());
  CHECK(gpu::scheduler::predicted_message(cluster, pod, gpu::scheduler::judge(cluster, pod)) ==
        "0/1 nodes are available: 1 cannot schedule extended resource claim. deletion of "
        "ResourceClaim completed, preemption: 0/1 nodes are available: 1 Preemption is not helpful "
        "for scheduling.");
}

TEST_CASE("that no driver has published a device is said only where none has") {
  Snapshot snapshot = gpu::make::snapshot({gpu::make::node("a", 0)}, {});
  snapshot.slice_coverage = Coverage::whole;
  const auto advice = [&] { return gpu::diagnose::advice_without_devices(Cluster(snapshot)); };
  CHECK(advice().size() == 1);
  snapshot.scheduling.other_slices = {slice({card("g0")})};
  CHECK(advice().empty());
  snapshot.scheduling.other_slices.clear();
  snapshot.slice_coverage = Coverage::none;
  CHECK(advice().empty());
}

}  // namespace devices_dynamic_resources_test
