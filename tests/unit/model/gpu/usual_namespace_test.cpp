#include "model/gpu/usual_namespace.hpp"

#include <catch2/catch.hpp>

namespace gpu_usual_namespace_test {

using namespace gpu;

TEST_CASE("namespaces of those who run clusters are told from others by name") {
  for (const char* ns : {"gpu-operator", "nvidia-gpu-operator", "kube-system", "monitoring",
                         "openshift-monitoring", "gke-managed-system", "cattle-monitoring-system"})
    CHECK(is_usual_namespace(ns));
  for (const char* ns : {"", "default", "ml", "team-monitoring", "monitoring-ml", "kube"})
    CHECK_FALSE(is_usual_namespace(ns));
}

}  // namespace gpu_usual_namespace_test
