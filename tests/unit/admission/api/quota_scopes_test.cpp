#include "admission/api/quota_scopes.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"

namespace api_quota_scopes_test {

using namespace gpu;
using namespace gpu::admission;

namespace {

std::optional<bool> counted(const Pod& pod, std::vector<QuotaScope> scopes) {
  return counts({.ns = "ml", .name = "q", .scopes = std::move(scopes), .hard = {}, .used = {}},
                pod);
}

std::optional<bool> counted_by(const Pod& pod, std::string scope) {
  return counted(pod, {{std::move(scope), "Exists", {}}});
}

}  // namespace

TEST_CASE("without scopes a quota counts every pod") { CHECK(counted(Pod{}, {}) == true); }

TEST_CASE("a deadline makes a pod Terminating") {
  Pod pod = make::pod("p", "", 1);
  CHECK(counted_by(pod, "Terminating") == false);
  CHECK(counted_by(pod, "NotTerminating") == true);
  pod.has_deadline = true;
  CHECK(counted_by(pod, "Terminating") == true);
  CHECK(counted_by(pod, "NotTerminating") == false);
}

TEST_CASE("a pod of GPUs alone is BestEffort") {
  Pod pod = make::pod("p", "", 1);
  pod.containers[0].requests = {{"nvidia.com/gpu", Quantity::of(1)}};
  pod.containers[0].limits = pod.containers[0].requests;
  CHECK(counted_by(pod, "BestEffort") == true);
  pod.containers[0].requests.set("cpu", Quantity{});
  CHECK(counted_by(pod, "BestEffort") == true);
  pod.init_containers = {{.name = "init", .limits = {{"memory", Quantity::of(1)}}}};
  CHECK(counted_by(pod, "BestEffort") == false);
  CHECK(counted_by(pod, "NotBestEffort") == true);
  pod.init_containers.clear();
  pod.pod_limits = ResourceList{{"cpu", Quantity::of(1)}};
  CHECK(counted_by(pod, "NotBestEffort") == true);
}

TEST_CASE("by priority class, as labels are selected") {
  Pod pod = make::pod("p", "", 1);
  const auto by = [&](std::string op, std::vector<std::string> values = {}) {
    return counted(pod, {{"PriorityClass", std::move(op), std::move(values)}});
  };
  CHECK(by("Exists") == false);
  CHECK(by("DoesNotExist") == true);
  CHECK(by("In", {"high"}) == false);
  CHECK(by("NotIn", {"high"}) == true);
  pod.priority_class = "high";
  CHECK(by("Exists") == true);
  CHECK(by("DoesNotExist") == false);
  CHECK(by("In", {"top", "high"}) == true);
  CHECK(by("NotIn", {"high"}) == false);
}

TEST_CASE("all scopes must hold, and those of other objects hold for no pod") {
  Pod pod = make::pod("p", "", 1);
  pod.priority_class = "high";
  CHECK(counted(pod, {{"PriorityClass", "Exists", {}}, {"Terminating", "Exists", {}}}) == false);
  CHECK(counted(pod, {{"PriorityClass", "Exists", {}}, {"NotTerminating", "Exists", {}}}) == true);
  CHECK(counted_by(pod, "VolumeAttributesClass") == false);
}

TEST_CASE("affinity to other namespaces is known where it is required") {
  Pod pod = make::pod("p", "", 1);
  CHECK(counted_by(pod, "CrossNamespacePodAffinity") == std::nullopt);
  CHECK(counted(pod, {{"CrossNamespacePodAffinity", "Exists", {}},
                      {"Terminating", "Exists", {}}}) == false);
  pod.placement.pod_anti_affinity = {{.topology_key = "zone", .namespaces = {"other"}}};
  CHECK(counted_by(pod, "CrossNamespacePodAffinity") == true);
}

}  // namespace api_quota_scopes_test
