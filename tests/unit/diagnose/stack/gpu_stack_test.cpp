#include "diagnose/stack/gpu_stack.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace stack_gpu_stack_test {

using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

std::string nearest(std::string_view asked) {
  const Snapshot snapshot =
      make::cluster({make::node("a", 8), make::node("b", 7, "nvidia.com/mig-1g.10gb")});
  return nearest_resource(Cluster(snapshot), asked);
}

/// A node that once had GPUs, or never; a pod of the device plugin's DaemonSet, perhaps.
StackFault fault_with(const Node& node, const std::vector<Pod>& pods) {
  Snapshot snapshot = make::cluster({node}, pods);
  DaemonSet plugin{.ns = "gpu", .name = "nvidia-device-plugin"};
  snapshot.scheduling.daemon_sets = {plugin};
  snapshot.scheduling.coverages["daemonsets"] = Coverage::whole;
  const Cluster cluster(snapshot);
  const auto fault = stack_fault(cluster, cluster.nodes()[0], "nvidia.com/gpu");
  REQUIRE(fault);
  return *fault;
}

Node gone(const StringMap& labels = {{"nvidia.com/gpu.present", "true"}}) {
  Node node = make::labelled("g1", labels);
  node.capacity.set("nvidia.com/gpu", Quantity::of(0));
  return node;
}

Pod plugin_pod(const std::string& ready) {
  Pod pod = make::running("nvidia-device-plugin-x", "g1");
  pod.ns = "gpu";
  pod.owners = {{.kind = "DaemonSet", .name = "nvidia-device-plugin", .controller = true}};
  pod.conditions = {{.type = "Ready", .status = ready}};
  return pod;
}

}  // namespace

TEST_CASE("a mistyped resource has a nearest name") {
  CHECK(nearest("nvidia.com/gpus") == "nvidia.com/gpu");
  CHECK(nearest("nvidia/gpu") == "nvidia.com/gpu");
  CHECK(nearest("gpu.nvidia.com") == "nvidia.com/gpu");
  CHECK(nearest("nvidia.com/mig-1g.10g") == "nvidia.com/mig-1g.10gb");
  CHECK(nearest("example.com/license").empty());
}

TEST_CASE("GPUs that are not all allocatable are a fault, held ones are not") {
  Snapshot snapshot = make::cluster({make::node("a", 8), make::node("b", 8)});
  snapshot.nodes[1].allocatable.set("nvidia.com/gpu", Quantity::of(7));
  const Cluster cluster(snapshot);
  CHECK_FALSE(stack_fault(cluster, cluster.nodes()[0], "nvidia.com/gpu"));
  const auto fault = stack_fault(cluster, cluster.nodes()[1], "nvidia.com/gpu");
  REQUIRE(fault);
  CHECK(fault->code == Code::gpu_unhealthy);
  CHECK(fault->detail == "7 of 8 are healthy");
}

TEST_CASE("GPUs that labels or the instance type tell of, and nobody advertises, are a fault") {
  Snapshot snapshot = make::cluster({make::node("a", 7)});
  snapshot.nodes[0].labels.set("node.kubernetes.io/instance-type", "p5.48xlarge");
  const Cluster cluster(snapshot);
  const auto fault = stack_fault(cluster, cluster.nodes()[0], "nvidia.com/gpu");
  REQUIRE(fault);
  CHECK(fault->code == Code::gpu_unhealthy);
  CHECK(fault->units == 8);
  CHECK(fault->detail == "7 of 8 are advertised (instance type p5.48xlarge)");
}

TEST_CASE("a device plugin that selects nodes tells of GPUs by its pod") {
  Snapshot snapshot = make::cluster({make::node("g1", 0)}, {plugin_pod("False")});
  DaemonSet plugin{.ns = "gpu", .name = "nvidia-device-plugin"};
  snapshot.scheduling.daemon_sets = {plugin};
  snapshot.scheduling.coverages["daemonsets"] = Coverage::whole;
  const auto fault_of = [&] {
    const Cluster cluster(snapshot);
    return stack_fault(cluster, cluster.nodes()[0], "nvidia.com/gpu");
  };
  CHECK_FALSE(fault_of());  // it runs everywhere
  snapshot.scheduling.daemon_sets[0].pod.node_selector = {{"pool", "gpu"}};
  REQUIRE(fault_of());
  CHECK(fault_of()->code == Code::device_plugin_missing);
}

TEST_CASE("a taint with the name of a GPU resource tells of a GPU node without any label") {
  Node node = make::node("a", 0);
  node.taints = {{.key = "nvidia.com/gpu", .value = "true", .effect = "NoSchedule"}};
  const Snapshot snapshot = make::cluster({node, make::node("b", 0)});
  const Cluster cluster(snapshot);
  const auto fault = stack_fault(cluster, cluster.nodes()[0], "nvidia.com/gpu");
  REQUIRE(fault);
  CHECK(fault->code == Code::device_plugin_missing);
  CHECK_FALSE(stack_fault(cluster, cluster.nodes()[1], "nvidia.com/gpu"));
}

TEST_CASE("of a plugin that crashes, its pod is named") {
  Pod pod = plugin_pod("False");
  pod.container_statuses = {{.name = "main", .waiting = "CrashLoopBackOff", .restarts = 9}};
  const StackFault fault = fault_with(gone(), {pod});
  CHECK(fault.code == Code::device_plugin_missing);
  CHECK(fault.detail ==
        "the device plugin's pod gpu/nvidia-device-plugin-x is not ready (CrashLoopBackOff, 9 "
        "restarts)");
  CHECK(fault.advice.at(0).command == "kubectl logs -n gpu nvidia-device-plugin-x --previous");
  // Nodes and pods alone are enough for that.
  const Snapshot snapshot = make::cluster({gone()}, {pod});
  const Cluster cluster(snapshot);
  CHECK(stack_fault(cluster, cluster.nodes()[0], "nvidia.com/gpu")->detail == fault.detail);
}

TEST_CASE("a plugin that runs and has nothing, one without a pod, and one that is gone differ") {
  CHECK(fault_with(gone(), {plugin_pod("True")}).detail ==
        "the device plugin's pod gpu/nvidia-device-plugin-x runs, but the kubelet has no GPUs from "
        "it");
  CHECK(fault_with(gone(), {}).detail ==
        "the DaemonSet gpu/nvidia-device-plugin should have a pod there, and has none");
  const Snapshot snapshot = make::cluster({gone()});
  const Cluster cluster(snapshot);
  CHECK(stack_fault(cluster, cluster.nodes()[0], "nvidia.com/gpu")->detail ==
        "has a device plugin that offers no GPUs any more");
}

TEST_CASE("a MIG layout that could not be made is the fault") {
  const StackFault fault = fault_with(gone({{"nvidia.com/gpu.present", "true"},
                                            {"nvidia.com/mig.config", "all-9g"},
                                            {"nvidia.com/mig.config.state", "failed"}}),
                                      {});
  CHECK(fault.code == Code::mig_mismatch);
  CHECK(fault.detail ==
        "its MIG layout all-9g could not be made (nvidia.com/mig.config.state=failed)");
}

TEST_CASE("what the operator made is changed by its ClusterPolicy") {
  Node node = make::node("a", 0);
  node.taints = {{.key = "nvidia.com/gpu", .value = "true", .effect = "NoSchedule"}};
  const auto advice = [&](const std::string& name) {
    Snapshot snapshot = make::cluster({node});
    snapshot.scheduling.daemon_sets = {{.ns = "gpu-operator", .name = name}};
    snapshot.scheduling.coverages["daemonsets"] = Coverage::whole;
    const Cluster cluster(snapshot);
    return stack_fault(cluster, cluster.nodes()[0], "nvidia.com/gpu")->advice.at(0).summary;
  };
  CHECK(advice("nvidia-device-plugin-daemonset").find("spec.daemonsets.tolerations of its") !=
        std::string::npos);
  CHECK(advice("nvdp-nvidia-device-plugin").find("ClusterPolicy") == std::string::npos);
}

TEST_CASE("MPS is set beside time-slicing, and is named where the node says so") {
  const auto advice = [](const StringMap& labels) {
    Node node = make::node("a", 8, "nvidia.com/gpu.shared");
    node.labels = labels;
    const Snapshot snapshot = make::cluster({node});
    const Cluster cluster(snapshot);
    return stack_fault(cluster, cluster.nodes()[0], "nvidia.com/gpu")->advice.at(0).summary;
  };
  CHECK(advice({}).ends_with("sharing.timeSlicing"));
  CHECK(advice({{"nvidia.com/gpu.sharing-strategy", "mps"}}).ends_with("sharing.mps"));
}

}  // namespace stack_gpu_stack_test
