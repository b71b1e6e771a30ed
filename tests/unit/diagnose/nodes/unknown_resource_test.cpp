#include "diagnose/nodes/unknown_resource.hpp"

#include <catch2/catch.hpp>

#include "diagnose/stack/gpu_stack.hpp"
#include "scheduler/cycle/judge_make.hpp"

namespace nodes_unknown_resource_test {

using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

DaemonSet daemon(const std::string& name, StringMap selector = {}) {
  DaemonSet made{.ns = "gpu", .name = name};
  made.pod.node_selector = std::move(selector);
  return made;
}

/// A node of which only a taint tells that it has GPUs.
Node tainted(const std::string& name, const std::string& resource) {
  Node made = make::node(name, 0);
  made.taints = {{.key = resource, .value = "true", .effect = "NoSchedule"}};
  return made;
}

Snapshot with(std::vector<Node> nodes, std::vector<DaemonSet> daemons) {
  Snapshot made = make::cluster(std::move(nodes));
  made.scheduling.daemon_sets = std::move(daemons);
  made.scheduling.coverages["daemonsets"] = Coverage::whole;
  return made;
}

Pod asking(const std::string& resource) {
  Pod made = make::waiting("train-0");
  made.containers.resize(1);
  made.containers[0].requests.set(resource, Quantity::of(1));
  return made;
}

Cause cause_for(const Snapshot& snapshot, const Pod& pod) {
  const auto cause = unknown_resource(Cluster(snapshot), pod);
  REQUIRE(cause);
  return *cause;
}

bool advises(const Cause& cause, std::string_view part) {
  return std::any_of(cause.advice.begin(), cause.advice.end(), [&](const Advice& each) {
    return each.summary.find(part) != std::string::npos;
  });
}

}  // namespace

TEST_CASE("GPUs come first, wherever their name stands among what no node has") {
  Node ill = make::node("gpu-1", 8);
  ill.allocatable.set("nvidia.com/gpu", Quantity::of(0));
  for (const char* const other : {"acme.io/x", "zacme.io/x"}) {
    Pod pod = asking("nvidia.com/gpu");
    pod.containers[0].requests.set(other, Quantity::of(1));
    CHECK(cause_for(with({ill}, {}), pod).code == Code::device_plugin_unhealthy);
  }
}

TEST_CASE("a plugin of another maker's GPUs is not to blame") {
  const Node node = tainted("gpu-1", "amd.com/gpu");
  const Cause cause =
      cause_for(with({node}, {daemon("nvidia-device-plugin-daemonset")}), asking("amd.com/gpu"));
  CHECK(cause.summary ==
        "no node advertises amd.com/gpu; gpu-1: no DaemonSet of a GPU device plugin for "
        "amd.com/gpu is in the cluster");
  CHECK_FALSE(advises(cause, "nvidia-device-plugin"));
  const Cause both = cause_for(with({node}, {daemon("amdgpu-device-plugin-daemonset"),
                                             daemon("nvidia-device-plugin-daemonset")}),
                               asking("amd.com/gpu"));
  CHECK(advises(both, "change the DaemonSet gpu/amdgpu-device-plugin-daemonset to tolerate"));
}

TEST_CASE("feature discovery is the cause for the labels of any maker, whatever its release is") {
  Node node = tainted("gpu-1", "gpu.intel.com/i915");
  DaemonSet plugin = daemon("intel-gpu-plugin", {{"intel.feature.node.kubernetes.io/gpu", "true"}});
  plugin.pod.tolerations = {{.op = "Exists"}};
  for (const char* const discovery : {"nfd-worker", "gcp-nfd-worker"}) {
    const Cause cause =
        cause_for(with({node}, {plugin, daemon(discovery)}), asking("gpu.intel.com/i915"));
    CHECK(cause.summary.find("node feature discovery does not tolerate") != std::string::npos);
    CHECK(advises(cause, discovery));
  }
  CHECK_FALSE(advises(
      cause_for(with({node}, {plugin, daemon("nfd-gc")}), asking("gpu.intel.com/i915")), "nfd-gc"));
}

TEST_CASE("nodes with different faults are told apart") {
  Node labelled = make::node("gpu-2", 0);
  labelled.labels = {{"nvidia.com/gpu.present", "true"}};
  const std::vector<DaemonSet> daemons = {daemon("nvidia-device-plugin", {{"pool", "a"}})};
  const Cause one = cause_for(with({tainted("gpu-1", "nvidia.com/gpu"), labelled}, daemons),
                              asking("nvidia.com/gpu"));
  CHECK(one.summary.find("each of") == std::string::npos);
  CHECK(one.summary.find("gpu-1: ") != std::string::npos);
  REQUIRE(one.remarks.size() == 1);
  CHECK(one.remarks[0].text.starts_with("gpu-2: "));
  const Cause alike = cause_for(
      with({tainted("gpu-1", "nvidia.com/gpu"), tainted("gpu-2", "nvidia.com/gpu")}, daemons),
      asking("nvidia.com/gpu"));
  CHECK(alike.summary.find("each of 2 GPU nodes: ") != std::string::npos);
  CHECK(alike.remarks.empty());
}

TEST_CASE("nodes are to be added where none has such GPUs, and not for another name") {
  const auto adds = [](const std::string& asks) {
    const Cause cause = cause_for(with({make::node("c1", 0)}, {}), asking(asks));
    REQUIRE(cause.advice.size() == 1);
    return cause.advice[0].kind == AdviceKind::add_node;
  };
  CHECK(adds("nvidia.com/gpu"));
  CHECK_FALSE(adds("acme.io/dongle"));
}

TEST_CASE("how a plugin comes to the name that is asked for depends on which one that is") {
  const auto advice = [](const std::string& has, const std::string& asks) {
    const Cause cause = cause_for(with({make::node("gpu-1", 8, has)}, {}), asking(asks));
    CHECK(cause.code == Code::resource_renamed);
    return cause.advice.at(0).summary;
  };
  CHECK(advice("nvidia.com/gpu.shared", "nvidia.com/gpu").find("renameByDefault to false") !=
        std::string::npos);
  CHECK(advice("nvidia.com/gpu", "nvidia.com/gpu.shared").find("renameByDefault true") !=
        std::string::npos);
}

TEST_CASE("DaemonSets that were not read are named where the GPU stack is the cause") {
  Snapshot snapshot = with({}, {});
  CHECK(unseen_stack(Cluster(snapshot), Code::device_plugin_missing).empty());
  snapshot.scheduling.coverages.clear();
  CHECK(unseen_stack(Cluster(snapshot), Code::device_plugin_missing).size() == 1);
  CHECK(unseen_stack(Cluster(snapshot), Code::insufficient_gpus).empty());
}

TEST_CASE("a typo is a typo, whatever shapes other nodes cut their GPUs into") {
  const Node whole = make::node("g1", 4);
  for (const char* const other : {"nvidia.com/gpu.shared", "nvidia.com/mig-1g.10gb"}) {
    const Cause cause =
        cause_for(with({whole, make::node("t1", 4, other)}, {}), asking("nvidia.com/gpus"));
    CHECK(cause.code == Code::resource_name_unknown);
    CHECK(cause.summary ==
          "no node advertises nvidia.com/gpus; the nearest name is nvidia.com/gpu");
  }
  const Node cut = make::node("m1", 7, "nvidia.com/mig-1g.10gb");
  CHECK(cause_for(with({cut}, {}), asking("nvidia.com/mig-1g.10g")).code ==
        Code::resource_name_unknown);
}

TEST_CASE("a shape that is written right is no typo of another") {
  const Node cut = make::node("m1", 7, "nvidia.com/mig-1g.10gb");
  for (const char* const other : {"nvidia.com/mig-2g.10gb", "nvidia.com/mig-1g.10gb+me"})
    CHECK(cause_for(with({cut}, {}), asking(other)).code == Code::mig_mismatch);
}

TEST_CASE("a name that a node advertises with 0 is known: its plugin has registered none") {
  Node node = make::node("a", 8);
  node.capacity.set("rdma/hca_shared", Quantity{});
  Snapshot snapshot = with({node, make::node("b", 8)}, {});
  const Cluster cluster(snapshot);
  const auto cause = unknown_resource(cluster, asking("rdma/hca_shared"));
  REQUIRE(cause);
  CHECK(cause->code == Code::resource_not_advertised);
  CHECK(cause->summary ==
        "no node has any rdma/hca_shared; a advertises it with 0: its device plugin has registered "
        "none, or is gone");
}

}  // namespace nodes_unknown_resource_test
