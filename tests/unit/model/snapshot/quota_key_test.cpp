#include "model/snapshot/quota_key.hpp"

#include <catch2/catch.hpp>
#include <vector>

namespace gpu::snapshot_quota_key_test {
namespace {

TEST_CASE("what keys of quotas say of GPUs") {
  struct Case {
    std::string_view key;
    QuotaKeyFault fault;
    std::string suggestion;
  };
  const std::vector<Case> cases = {
      {"requests.nvidia.com/gpu", QuotaKeyFault::none, ""},
      {"requests.nvidia.com/mig-1g.10gb", QuotaKeyFault::none, ""},
      {"requests.nvidia.com/gpu-a100", QuotaKeyFault::none, ""},
      {"requests.nvidia.com/gpus", QuotaKeyFault::misspelt, "requests.nvidia.com/gpu"},
      {"requests.nvdia.com/gpu", QuotaKeyFault::misspelt, "requests.nvidia.com/gpu"},
      {"requests.amd.com/gpus", QuotaKeyFault::misspelt, "requests.amd.com/gpu"},
      {"nvidia.com/gpu", QuotaKeyFault::without_requests, "requests.nvidia.com/gpu"},
      {"amd.com/gpus", QuotaKeyFault::without_requests, "requests.amd.com/gpu"},
      {"limits.nvidia.com/gpu", QuotaKeyFault::limits_of_extended, "requests.nvidia.com/gpu"},
      {"limits.nvdia.com/gpu", QuotaKeyFault::limits_of_extended, "requests.nvidia.com/gpu"},
      {"count/jobs", QuotaKeyFault::wrong_group, "count/jobs.batch"},
      {"count/jobs.apps", QuotaKeyFault::wrong_group, "count/jobs.batch"},
      {"count/jobs.batch/v1", QuotaKeyFault::wrong_group, "count/jobs.batch"},
      {"count/pytorchjobs.kubeflow.com", QuotaKeyFault::wrong_group,
       "count/pytorchjobs.kubeflow.org"},
      {"count/pods.core", QuotaKeyFault::wrong_group, "count/pods"},
      {"count/resourceclaims", QuotaKeyFault::wrong_group, "count/resourceclaims.resource.k8s.io"},
  };
  for (const Case& each : cases) {
    CAPTURE(each.key);
    const auto key = quota_key(each.key);
    REQUIRE(key);
    CHECK(key->fault == each.fault);
    CHECK(key->suggestion == each.suggestion);
  }
}

TEST_CASE("keys of quotas that are right, or about something else") {
  for (const std::string_view key :
       {"pods", "requests.cpu", "limits.memory", "count/pods", "count/jobs.batch",
        "count/jobs.batch.volcano.sh", "count/services", "count/configmaps", "count/widgets.a.b",
        "count/workflows.example.com", "requests.nvidia.com/gpumem", "requests.example.com/gpu",
        "requests.example.com/fpga", "gpu.nvidia.com.deviceclass.resource.k8s.io/devices", ""}) {
    CAPTURE(key);
    CHECK_FALSE(quota_key(key));
  }
}

}  // namespace
}  // namespace gpu::snapshot_quota_key_test
