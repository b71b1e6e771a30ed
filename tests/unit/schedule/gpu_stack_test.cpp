#include "schedule/gpu_stack.hpp"

#include <catch2/catch.hpp>

#include "judge_make.hpp"

using namespace gpu;
using namespace gpu::schedule;

namespace {

std::string nearest(std::string_view asked) {
  const Snapshot snapshot =
      make::cluster({make::node("a", 8), make::node("b", 7, "nvidia.com/mig-1g.10gb")});
  return nearest_resource(Cluster(snapshot), asked);
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
