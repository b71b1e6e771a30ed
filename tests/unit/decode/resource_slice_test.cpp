#include "decode/resource_slice.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using gpu::decode::gpu_node_of_slice;
using nlohmann::json;

TEST_CASE("the node of a slice of GPUs") {
  for (const char* driver : {"gpu.nvidia.com", "gpu.amd.com", "gpu.intel.com", "gaudi.intel.com"}) {
    INFO(driver);
    CHECK(gpu_node_of_slice({{"spec", {{"driver", driver}, {"nodeName", "a"}}}}) == "a");
  }
}

TEST_CASE("slices that publish no GPU of a node") {
  CHECK_FALSE(
      gpu_node_of_slice({{"spec", {{"driver", "compute-domain.nvidia.com"}, {"nodeName", "a"}}}}));
  CHECK_FALSE(gpu_node_of_slice({{"spec", {{"driver", "gpu.nvidia.com"}, {"allNodes", true}}}}));
  CHECK_FALSE(gpu_node_of_slice({{"spec", {{"driver", 7}, {"nodeName", "a"}}}}));
  CHECK_FALSE(gpu_node_of_slice({{"spec", nullptr}}));
  CHECK_FALSE(gpu_node_of_slice(json::object()));
}
