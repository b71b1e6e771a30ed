#include "admission/api/pod_limits.hpp"

#include <catch2/catch.hpp>

namespace gpu::admission::api_pod_limits_test {
namespace {

Container limited(std::int64_t cpu, std::int64_t gpus) {
  Container container;
  container.limits = {{"cpu", Quantity::of(cpu)}, {"nvidia.com/gpu", Quantity::of(gpus)}};
  return container;
}

Container sidecar(std::int64_t cpu, std::int64_t gpus) {
  Container container = limited(cpu, gpus);
  container.restarts_always = true;
  return container;
}

/// "CPU GPUS".
std::string text(const ResourceList& list) {
  return std::to_string(amount_of(list, "cpu").value()) + " " +
         std::to_string(amount_of(list, "nvidia.com/gpu").value());
}

std::string total(const Pod& pod) { return text(total_of(pod, &Container::limits)); }

}  // namespace

TEST_CASE("containers and sidecars are added; an init container counts beside earlier sidecars") {
  Pod pod;
  pod.containers = {limited(1, 2), limited(3, 0)};
  CHECK(total(pod) == "4 2");
  pod.init_containers = {limited(7, 1), limited(2, 1)};
  CHECK(total(pod) == "7 2");
  pod.init_containers = {sidecar(1, 1), limited(7, 1)};
  CHECK(total(pod) == "8 3");
  pod.init_containers = {limited(7, 1), sidecar(1, 1)};
  CHECK(total(pod) == "7 3");
  pod.init_containers = {sidecar(1, 0), sidecar(2, 1), limited(6, 1)};
  CHECK(total(pod) == "9 3");
}

TEST_CASE("limits of the pod replace those of cpu, and overhead is added where there is one") {
  Pod pod;
  pod.containers = {limited(1, 2)};
  pod.pod_limits = ResourceList{{"cpu", Quantity::of(5)}, {"nvidia.com/gpu", Quantity::of(9)}};
  CHECK(text(effective_limits(pod)) == "5 2");
  pod.overhead = {{"cpu", Quantity::of(1)}, {"memory", Quantity::of(1)}};
  CHECK(text(effective_limits(pod)) == "6 2");
  CHECK_FALSE(effective_limits(pod).contains("memory"));
}

TEST_CASE("cpu, memory and huge pages are given for a pod as a whole") {
  for (const char* name : {"cpu", "memory", "hugepages-2Mi"}) CHECK(is_pod_level(name));
  for (const char* name : {"ephemeral-storage", "nvidia.com/gpu"}) CHECK_FALSE(is_pod_level(name));
  Pod pod;
  CHECK_FALSE(has_pod_level_resources(pod));
  pod.pod_requests = ResourceList{{"nvidia.com/gpu", Quantity::of(1)}};
  CHECK_FALSE(has_pod_level_resources(pod));
  pod.pod_requests = ResourceList{{"cpu", Quantity::of(1)}};
  CHECK(has_pod_level_resources(pod));
  pod.pod_requests.reset();
  pod.pod_limits = ResourceList{{"memory", Quantity::of(1)}};
  CHECK(has_pod_level_resources(pod));
}

}  // namespace gpu::admission::api_pod_limits_test
