#include "model/gpu/gpu_resource.hpp"

#include <catch2/catch.hpp>

namespace gpu_gpu_resource_test {

using namespace gpu;

TEST_CASE("whole cards of every vendor") {
  for (const char* name :
       {"nvidia.com/gpu", "amd.com/gpu", "gpu.intel.com/i915", "gpu.intel.com/xe",
        "habana.ai/gaudi", "google.com/tpu", "aws.amazon.com/neuron"}) {
    INFO(name);
    const auto resource = gpu_resource(name);
    REQUIRE(resource);
    CHECK(resource->kind == DeviceKind::card);
    CHECK_FALSE(resource->renamed);
  }
}

TEST_CASE("amounts, monitors and network devices are not GPUs") {
  for (const char* name : {"cpu",
                           "memory",
                           "gpu",
                           "nvidia.com/gpumem",
                           "nvidia.com/gpumem-percentage",
                           "nvidia.com/gpucores",
                           "gpu.intel.com/monitoring",
                           "gpu.intel.com/i915_monitoring",
                           "gpu.intel.com/xe_monitoring",
                           "gpu.intel.com/millicores",
                           "gpu.intel.com/memory.max",
                           "gpu.intel.com/tiles",
                           "volcano.sh/vgpu-memory",
                           "volcano.sh/vgpu-cores",
                           "volcano.sh/vgpu-memory-percentage",
                           "volcano.sh/gpu-memory",
                           "aliyun.com/gpu-count",
                           "aliyun.com/gpu-core.percentage",
                           "gpu.intel.com/i915.monitoring",
                           "nvidia.com/hostdev",
                           "nvidia.com/rdma_shared_device_a",
                           "nvidia.com/mlnxnics",
                           "rdma/hca",
                           "example.com/gpu",
                           "nvidia.com.evil/gpu",
                           ""}) {
    INFO(name);
    CHECK_FALSE(gpu_resource(name));
  }
}

TEST_CASE("MIG slices carry their profile, shared or not") {
  CHECK(gpu_resource("nvidia.com/mig-1g.10gb")->kind == DeviceKind::mig_slice);
  CHECK(gpu_resource("nvidia.com/mig-1g.10gb")->profile == "1g.10gb");
  CHECK(gpu_resource("nvidia.com/mig-1g.10gb.me")->profile == "1g.10gb.me");
  CHECK(gpu_resource("nvidia.com/mig-3g.40gb.shared")->profile == "3g.40gb");
  CHECK(gpu_resource("nvidia.com/mig-3g.40gb.shared")->renamed);
}

TEST_CASE("shares of schedulers of their own; a GiB of memory is no device") {
  CHECK(gpu_resource("volcano.sh/vgpu-number")->kind == DeviceKind::card);
  CHECK_FALSE(gpu_resource("volcano.sh/vgpu-number")->is_memory);
  CHECK(gpu_resource("aliyun.com/gpu-mem")->is_memory);
  CHECK_FALSE(gpu_resource("aliyun.com/gpu")->is_memory);
}

TEST_CASE("renamed, virtual, and partitioned devices") {
  CHECK(gpu_resource("nvidia.com/gpu.shared")->renamed);
  CHECK(gpu_resource("nvidia.com/a100-large")->kind == DeviceKind::card);
  CHECK(gpu_resource("nvidia.com/GRID_T4-4Q")->kind == DeviceKind::vgpu);
  CHECK(gpu_resource("nvidia.com/TU104GL_TESLA_T4")->kind == DeviceKind::vgpu);
  CHECK(gpu_resource("nvidia.com/pgpu")->kind == DeviceKind::vgpu);
  CHECK(gpu_resource("amd.com/cpx_nps4")->kind == DeviceKind::partition);
  CHECK(gpu_resource("amd.com/spx_nps1")->kind == DeviceKind::card);
  CHECK(gpu_resource("amd.com/gpu_vf")->kind == DeviceKind::partition);
  CHECK(gpu_resource("aws.amazon.com/neuroncore")->kind == DeviceKind::alias);
  CHECK(gpu_resource("aws.amazon.com/neurondevice")->kind == DeviceKind::alias);
}

}  // namespace gpu_gpu_resource_test
