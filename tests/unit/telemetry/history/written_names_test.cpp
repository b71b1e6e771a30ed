#include "telemetry/history/written_names.hpp"

#include <catch2/catch.hpp>

namespace gpu::telemetry::history_written_names_test {
namespace {

TEST_CASE("Resources of GPUs are known as kube-state-metrics writes them") {
  const WrittenNames names{Snapshot{}};
  CHECK(names.resource("nvidia_com_gpu") == "nvidia.com/gpu");
  CHECK(names.resource("nvidia_com_gpu_shared") == "nvidia.com/gpu.shared");
  CHECK(names.resource("nvidia_com_mig_1g_5gb") == "nvidia.com/mig-1g.5gb");
  CHECK(names.resource("nvidia_com_mig_1g_10gb_me") == "nvidia.com/mig-1g.10gb.me");
  CHECK(names.resource("nvidia_com_mig_2g_10gb_shared") == "nvidia.com/mig-2g.10gb.shared");
  CHECK(names.resource("amd_com_gpu") == "amd.com/gpu");
  CHECK(names.resource("amd_com_cpx_nps4") == "amd.com/cpx_nps4");
  CHECK(names.resource("gpu_intel_com_i915") == "gpu.intel.com/i915");
  CHECK(names.resource("habana_ai_gaudi") == "habana.ai/gaudi");
  CHECK(names.resource("google_com_tpu") == "google.com/tpu");
  CHECK(names.resource("aws_amazon_com_neuroncore") == "aws.amazon.com/neuroncore");
  CHECK(names.resource("aliyun_com_gpu_mem") == "aliyun.com/gpu-mem");
  CHECK(names.resource("volcano_sh_vgpu_number") == "volcano.sh/vgpu-number");
}

TEST_CASE("What counts no GPUs is no resource of history") {
  const WrittenNames names{Snapshot{}};
  for (const char* const written :
       {"cpu", "memory", "nvidia_com_gpumem", "gpu_intel_com_i915_monitoring",
        "vpc_amazonaws_com_pod_eni", "", "nvidia", "example_com_gpu"})
    CHECK(names.resource(written).empty());
}

TEST_CASE("Names that nodes of the cluster have are known exactly") {
  Snapshot snapshot;
  snapshot.nodes.emplace_back();
  snapshot.nodes.back().capacity.set("nvidia.com/GRID_T4-4Q", Quantity::of(2));
  snapshot.nodes.back().labels.set("example.com/costCentre", "7");
  const WrittenNames names(snapshot);
  CHECK(names.resource("nvidia_com_GRID_T4_4Q") == "nvidia.com/GRID_T4-4Q");
  CHECK(names.label("label_example_com_cost_centre") == "example.com/costCentre");
  CHECK(names.label("label_example_com_costCentre") == "example.com/costCentre");
}

TEST_CASE("Labels by which prices are looked up are known, and others are left out") {
  const WrittenNames names{Snapshot{}};
  CHECK(names.label("label_node_kubernetes_io_instance_type") ==
        "node.kubernetes.io/instance-type");
  CHECK(names.label("label_eks_amazonaws_com_capacity_type") == "eks.amazonaws.com/capacityType");
  CHECK(names.label("label_eks_amazonaws_com_capacityType") == "eks.amazonaws.com/capacityType");
  CHECK(names.label("label_nvidia_com_gpu_product") == "nvidia.com/gpu.product");
  CHECK(names.label("label_team").empty());
  CHECK(names.label("instance").empty());
}

}  // namespace
}  // namespace gpu::telemetry::history_written_names_test
