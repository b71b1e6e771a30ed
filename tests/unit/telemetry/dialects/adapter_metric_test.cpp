#include "telemetry/dialects/adapter_metric.hpp"

#include <catch2/catch.hpp>

namespace gpu::telemetry::dialects_adapter_metric_test {
namespace {

std::string read(std::string_view served) {
  const auto metric = adapter_metric(served);
  if (!metric) return "none";
  switch (metric->scale) {
    case AdapterScale::percent:
      return metric->name + " percent";
    case AdapterScale::ratio:
      return metric->name + " ratio";
    case AdapterScale::not_told:
      return metric->name + " not reported";
  }
  return {};
}

TEST_CASE("Metrics of pods are known by their names, whoever serves them") {
  CHECK(read("pods/DCGM_FI_DEV_GPU_UTIL") == "DCGM_FI_DEV_GPU_UTIL percent");
  CHECK(read("pods/dcgm_fi_dev_gpu_util") == "dcgm_fi_dev_gpu_util percent");
  CHECK(read("pods/DCGM_FI_PROF_GR_ENGINE_ACTIVE") == "DCGM_FI_PROF_GR_ENGINE_ACTIVE ratio");
  CHECK(read("pods/gpu_utilization") == "gpu_utilization not reported");
  CHECK(read("*/external.googleapis.com|prometheus|DCGM_FI_DEV_GPU_UTIL") ==
        "external.googleapis.com|prometheus|DCGM_FI_DEV_GPU_UTIL percent");
  CHECK(read("*/prometheus.googleapis.com|DCGM_FI_DEV_GPU_UTIL|gauge") ==
        "prometheus.googleapis.com|DCGM_FI_DEV_GPU_UTIL|gauge percent");
  CHECK(read("pods/kubernetes.io|container|accelerator|duty_cycle") ==
        "kubernetes.io|container|accelerator|duty_cycle percent");
}

TEST_CASE("Other metrics, and those of other objects, are not") {
  for (const char* other : {"namespaces/DCGM_FI_DEV_GPU_UTIL", "services/gpu_utilization",
                            "pods/http_requests", "pods/DCGM_FI_DEV_MEM_COPY_UTIL",
                            "pods/gpu_utilization_limit", "pods/", "pods", "", "*/", "*/a||b"})
    CHECK(read(other) == "none");
}

TEST_CASE("A maker's counter is better than a name of somebody's own") {
  CHECK(adapter_metric("pods/DCGM_FI_DEV_GPU_UTIL")->rank <
        adapter_metric("pods/gpu_utilization")->rank);
}

}  // namespace
}  // namespace gpu::telemetry::dialects_adapter_metric_test
