#include "model/objects/own_kind.hpp"

#include <catch2/catch.hpp>

#include "model/objects/pod.hpp"

namespace gpu::objects_own_kind_test {

TEST_CASE("group and kind say what an object is") {
  CHECK(is_own_kind("Node", "Node", "v1"));
  CHECK_FALSE(is_own_kind("Node", "Node", "longhorn.io/v1beta2"));
  CHECK_FALSE(is_own_kind("Node", "Pod", "v1"));
  CHECK(is_own_kind("DaemonSet", "DaemonSet", "apps/v1"));
  CHECK_FALSE(is_own_kind("DaemonSet", "DaemonSet", "apps.kruise.io/v1alpha1"));
  CHECK_FALSE(is_own_kind("DaemonSet", "DaemonSet", "v1"));
  CHECK(is_own_kind("Job", "Job", "batch/v1"));
  CHECK_FALSE(is_own_kind("Job", "Job", "batch.volcano.sh/v1alpha1"));
  CHECK(is_own_kind("Job", "Job", ""));  // kube-state-metrics names no apiVersion
  CHECK(is_own(OwnerReference{.kind = "ReplicaSet", .api_version = "apps/v1"}, "ReplicaSet"));
}

TEST_CASE("kinds of others are namesakes only of what pods, owners and volumes are") {
  CHECK(is_namesake("Pod", "edge.example/v1"));
  CHECK_FALSE(is_namesake("Pod", "v1"));
  CHECK_FALSE(is_namesake("Workload", "kueue.x-k8s.io/v1beta1"));
  CHECK_FALSE(is_namesake("Pod", ""));
}

}  // namespace gpu::objects_own_kind_test
