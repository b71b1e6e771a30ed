#include "diagnose/stack/daemon_reach.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace stack_daemon_reach_test {

using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

bool is_driver(const std::string& image) {
  Snapshot snapshot = make::cluster({make::node("a", 8)});
  DaemonSet daemon{.ns = "x", .name = "x"};
  daemon.pod.containers = {{.name = "x", .image = image}};
  snapshot.scheduling.daemon_sets = {daemon};
  return !StackDaemons(Cluster(snapshot)).of(DaemonRole::driver).empty();
}

}  // namespace

TEST_CASE("an image is a driver by its name, whatever its registry, tag and digest") {
  CHECK(is_driver("driver"));
  CHECK(is_driver("driver:580"));
  CHECK(is_driver("registry.example.com:5000/mirror/driver:580@sha256:0123"));
  CHECK_FALSE(is_driver("registry.example.com/mirror/csi-driver:580"));
  CHECK_FALSE(is_driver("registry.example.com/driver/mirror"));
}

namespace {

bool has_role(DaemonRole role, const std::string& name, const std::string& container,
              const std::string& image) {
  Snapshot snapshot = make::cluster({make::node("a", 8)});
  DaemonSet daemon{.ns = "x", .name = name};
  daemon.pod.containers = {{.name = container, .image = image}};
  snapshot.scheduling.daemon_sets = {daemon};
  return !StackDaemons(Cluster(snapshot)).of(role).empty();
}

Unreached reach(const NodeSelector& affinity, const StringMap& labels) {
  DaemonSet daemon{.ns = "x", .name = "x"};
  daemon.pod.placement.node_affinity = affinity;
  Node node = make::node("a", 0);
  node.labels = labels;
  return reach_of(daemon, node);
}

}  // namespace

TEST_CASE("what comes in the image of NVIDIA's device plugin is told apart from it") {
  constexpr const char* kImage = "nvcr.io/nvidia/k8s-device-plugin:v0.17.1";
  const auto is_plugin = [&](const char* name, const char* container) {
    return has_role(DaemonRole::device_plugin, name, container, kImage);
  };
  CHECK(is_plugin("nvdp-nvidia-device-plugin", "nvidia-device-plugin-ctr"));
  CHECK_FALSE(is_plugin("gpu-feature-discovery", "gpu-feature-discovery"));
  CHECK_FALSE(is_plugin("nvdp-gpu-feature-discovery", "gpu-feature-discovery-ctr"));
  CHECK_FALSE(is_plugin("nvdp-nvidia-device-plugin-mps-control-daemon", "mps-control-daemon-ctr"));
  CHECK_FALSE(is_plugin("labels", "gpu-feature-discovery-ctr"));
}

TEST_CASE("kubelet plugins of DRA drivers are no device plugins") {
  for (const char* name :
       {"dra-driver-nvidia-gpu-kubelet-plugin", "nvidia-dra-driver-gpu-kubelet-plugin",
        "k8s-gpu-dra-driver-kubeletplugin", "intel-gpu-resource-driver-kubelet-plugin"}) {
    CHECK(has_role(DaemonRole::dra_driver, name, "gpus", "example.com/driver:1"));
    CHECK_FALSE(has_role(DaemonRole::device_plugin, name, "gpus", "example.com/driver:1"));
  }
}

TEST_CASE("the labels that bring a DaemonSet to a node are those of one term") {
  const NodeSelector any = {
      {.expressions = {{.key = "feature.node.kubernetes.io/pci-10de.present",
                        .op = "In",
                        .values = {"true"}}}},
      {.expressions = {{.key = "nvidia.com/gpu.present", .op = "In", .values = {"true"}}}}};
  const Unreached missed = reach(any, {});
  CHECK(missed.labels.size() == 2);
  CHECK(missed.to_set == std::vector<std::string>{"nvidia.com/gpu.present=true"});
  CHECK(reach(any, {{"nvidia.com/gpu.present", "true"}}).why.empty());
}

TEST_CASE("a label of the node may keep a DaemonSet off it") {
  const NodeSelector rule = {
      {.expressions = {{.key = "gpu-plugin", .op = "NotIn", .values = {"off"}}}}};
  const Unreached missed = reach(rule, {{"gpu-plugin", "off"}});
  CHECK(missed.why == "keeps off nodes with the label gpu-plugin=off");
  CHECK(missed.unwanted == std::vector<std::string>{"gpu-plugin"});
  CHECK(missed.to_set.empty());
}

}  // namespace stack_daemon_reach_test
