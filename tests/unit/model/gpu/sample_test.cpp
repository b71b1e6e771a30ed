#include "model/gpu/sample.hpp"

#include <catch2/catch.hpp>

namespace gpu_sample_test {

using namespace gpu;

TEST_CASE("what one part of a device's telemetry lacks another fills in, and nothing is replaced") {
  Sample known{.node = "a", .uuid = "0f3c", .index = 1};
  const Sample told{.exporter = "ops/x",
                    .node = "b",
                    .host = "h",
                    .uuid = "GPU-0f3c",
                    .index = 7,
                    .minor = 3,
                    .product = "NVIDIA H100"};
  fill_identity(known, told);
  CHECK(known.node == "a");
  CHECK(known.index == 1);
  CHECK(known.exporter == "ops/x");
  CHECK(known.host == "h");
  CHECK(known.minor == 3);
  CHECK(known.product == "NVIDIA H100");
  CHECK(known.uuid == "GPU-0f3c");
}

}  // namespace gpu_sample_test
