#include "scheduler/cluster/amounts.hpp"

#include <catch2/catch.hpp>

namespace gpu::scheduler::cluster_amounts_test {

TEST_CASE("the scheduler compares its own resources and those with a domain") {
  for (const char* name :
       {"cpu", "memory", "ephemeral-storage", "hugepages-2Mi", "attachable-volumes-csi",
        "nvidia.com/gpu", "requests.kubernetes.io/x", "kubernetes.io/batch-cpu"})
    CHECK(is_compared(name));
  for (const char* name : {"pods", "gpu", "requests.nvidia.com/gpu"})
    CHECK_FALSE(is_compared(name));
}

TEST_CASE("cpu is compared in thousandths, other resources in whole units") {
  CHECK(compared_amount("cpu", *Quantity::parse("1500m")) == 1500);
  CHECK(compared_amount("memory", *Quantity::parse("2")) == 2);
}

}  // namespace gpu::scheduler::cluster_amounts_test
