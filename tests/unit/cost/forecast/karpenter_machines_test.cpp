#include "cost/forecast/karpenter_machines.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "make.hpp"

namespace gpu::cost::forecast_karpenter_machines_test {
namespace {

/// A NodePool of AWS that may create instances of a family.
KarpenterNodePool pool_of(const char* family) {
  return {.name = "gpu",
          .class_group = "karpenter.k8s.aws",
          .labels = {{"team", "ml"}},
          .requirements = {{"karpenter.k8s.aws/instance-family", "In", {family}},
                           {"karpenter.sh/capacity-type", "In", {"on-demand", "spot"}}},
          .taints = {{.key = "nvidia.com/gpu", .value = "true", .effect = "NoSchedule"}}};
}

Pod tolerant() {
  Pod pod = make::pod("train", "", 1);
  pod.tolerations.push_back({.key = "nvidia.com/gpu", .op = "Exists"});
  return pod;
}

/// "p4d.24xlarge on-demand, ...".
std::string machines_of(const Pod& pod, const KarpenterNodePool& pool) {
  std::string text;
  for (const FutureMachine& each : karpenter_machines(pod, {pool}, {}))
    text += (text.empty() ? "" : ", ") +
            std::string(value_of(each.labels, "node.kubernetes.io/instance-type")) + " " +
            std::string(value_of(each.labels, "karpenter.sh/capacity-type"));
  return text;
}

}  // namespace

TEST_CASE("a NodePool's families, and its taints") {
  CHECK(machines_of(tolerant(), pool_of("p4d")) == "p4d.24xlarge on-demand");
  CHECK(machines_of(make::pod("train", "", 1), pool_of("p4d")).empty());
  CHECK(machines_of(tolerant(), pool_of("x9")).empty());
}

TEST_CASE("a pod's selector is held against the NodePool's labels and the table") {
  Pod pod = tolerant();
  pod.node_selector = {{"team", "ml"}, {"topology.kubernetes.io/zone", "us-east-1a"}};
  CHECK(machines_of(pod, pool_of("p4d")) == "p4d.24xlarge on-demand");
  pod.node_selector = {{"team", "vision"}};
  CHECK(machines_of(pod, pool_of("p4d")).empty());
  pod.node_selector = {{"nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3"}};
  CHECK(machines_of(pod, pool_of("p4d")).empty());
  CHECK(machines_of(pod, pool_of("p5")).find("p5.48xlarge on-demand") != std::string::npos);
  pod.node_selector = {{"node.kubernetes.io/instance-type", "p5.48xlarge"}};
  CHECK(machines_of(pod, pool_of("p5")) == "p5.48xlarge on-demand");
}

TEST_CASE("capacity that both allow") {
  Pod pod = tolerant();
  pod.node_selector = {{"karpenter.sh/capacity-type", "spot"}};
  CHECK(machines_of(pod, pool_of("p4d")) == "p4d.24xlarge spot");
  KarpenterNodePool reserved = pool_of("p4d");
  reserved.requirements.at(1).values = {"reserved"};
  CHECK(machines_of(pod, reserved).empty());
  CHECK(machines_of(tolerant(), reserved) == "p4d.24xlarge reserved");
}

TEST_CASE("affinity is one of its terms, and Gt counts GPUs") {
  Pod pod = tolerant();
  pod.placement.node_affinity = {
      {{.expressions = {{"karpenter.k8s.aws/instance-gpu-count", "Gt", {"7"}}}}}};
  CHECK(machines_of(pod, pool_of("p4d")) == "p4d.24xlarge on-demand");
  pod.placement.node_affinity = {
      {{.expressions = {{"karpenter.k8s.aws/instance-gpu-count", "Gt", {"8"}}}}}};
  CHECK(machines_of(pod, pool_of("p4d")).empty());
}

}  // namespace gpu::cost::forecast_karpenter_machines_test
