#include "diagnose/stack/dra_driver.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace stack_dra_driver_test {

using namespace gpu;
using namespace gpu::diagnose;

namespace {

constexpr const char* kName = "dra-driver-nvidia-gpu-kubelet-plugin";

DaemonSet daemon(StringMap selector = {}) {
  DaemonSet made{.ns = "gpu", .name = kName};
  made.pod.node_selector = std::move(selector);
  return made;
}

Pod driver(const std::string& ready) {
  Pod pod = make::running(std::string(kName) + "-x", "a");
  pod.ns = "gpu";
  pod.owners = {{.kind = "DaemonSet", .name = kName}};
  pod.conditions = {{.type = "Ready", .status = ready}};
  return pod;
}

/// "NODE: DETAIL"; empty where nothing is wrong, or nothing can be said.
std::string silent(const std::vector<DaemonSet>& daemons, const std::vector<Pod>& pods,
                   const std::string& device_class = "gpu.nvidia.com") {
  Node node = make::labelled("a", {{"nvidia.com/gpu.present", "true"}});
  Snapshot snapshot = make::cluster({node, make::node("b", 0)}, pods);
  snapshot.slice_coverage = Coverage::whole;
  snapshot.device_classes = {{.name = "fast", .selectors = {"device.driver == 'gpu.nvidia.com'"}}};
  snapshot.scheduling.daemon_sets = daemons;
  snapshot.scheduling.coverages["daemonsets"] = Coverage::whole;
  const auto found = silent_dra_driver(scheduler::Cluster(snapshot), device_class);
  return found ? found->node + ": " + found->fault.detail : "";
}

}  // namespace

TEST_CASE("what keeps a DRA driver from publishing is named") {
  CHECK(
      silent({daemon({{"none", "x"}})}, {}) ==
      "a: the DaemonSet gpu/dra-driver-nvidia-gpu-kubelet-plugin selects nodes with none=x, which "
      "this one lacks");
  CHECK(silent({daemon()}, {driver("False")}) ==
        "a: the DRA driver's pod gpu/dra-driver-nvidia-gpu-kubelet-plugin-x is not ready");
  CHECK(
      silent({daemon()}, {driver("True")}) ==
      "a: the DRA driver's pod gpu/dra-driver-nvidia-gpu-kubelet-plugin-x runs, and has published "
      "no device");
  CHECK(silent({}, {}) == "a: no DaemonSet of a DRA driver for gpu.nvidia.com is in the cluster");
}

TEST_CASE("whose class it is follows from its name or its selectors; of others nothing is said") {
  CHECK_FALSE(silent({daemon()}, {driver("False")}, "fast").empty());
  CHECK(silent({daemon()}, {driver("False")}, "unknown").empty());
}

}  // namespace stack_dra_driver_test
