#include "cost/ledger/use_now.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"

namespace ledger_use_now_test {

using namespace gpu;
using namespace gpu::cost;

namespace {

Pod with_sidecar(std::int64_t gpus) {
  Pod pod = make::pod("serve", "gpu-1", gpus);
  pod.containers.push_back({.name = "proxy"});
  pod.container_statuses = {{.name = "main", .waiting = "ImagePullBackOff"}, {.name = "proxy"}};
  return pod;
}

}  // namespace

TEST_CASE("a pod whose container with GPUs waits for its image uses none of them") {
  CHECK_FALSE(runs_on_gpus(with_sidecar(1)));
  Pod pod = with_sidecar(1);
  pod.container_statuses.front().waiting.clear();
  CHECK(runs_on_gpus(pod));
}

TEST_CASE("GPUs that no container requests may be any container's") {
  Pod by_annotation = with_sidecar(0);
  by_annotation.annotations["gpu-fraction"] = "0.5";
  CHECK(runs_on_gpus(by_annotation));
  Pod by_claim = with_sidecar(0);
  by_claim.claim_references = 1;
  CHECK(runs_on_gpus(by_claim));
}

}  // namespace ledger_use_now_test
