#include "diagnose/lifecycle/cloud_refusal.hpp"

#include <catch2/catch.hpp>

namespace lifecycle_cloud_refusal_test {

using namespace gpu;
using namespace gpu::diagnose;

namespace {

std::string told(std::string_view message) { return reason_text(cloud_refusal(message)); }

}  // namespace

TEST_CASE("a cloud's quota is told from its stock, with the zone") {
  CHECK(told("Node scale up in zones us-central1-c associated with this pod failed: GCE quota "
             "exceeded. Pod is at risk of not being scheduled.") ==
        " for want of quota in us-central1-c");
  CHECK(told("Node scale up in zones a-1-a, a-1-b associated with this pod failed: GCE out of "
             "resources.") == ", which has none in stock in a-1-a, a-1-b");
  CHECK(told("We currently do not have sufficient p4d.24xlarge capacity in the Availability Zone "
             "you requested (us-east-1a).") == ", which has none in stock in us-east-1a");
  CHECK(told("VcpuLimitExceeded: You have requested more vCPU capacity") == " for want of quota");
  CHECK(told("ZonalAllocationFailed: Allocation failed.") == ", which has none in stock");
  CHECK(told("Operation could not be completed as it results in exceeding approved standardNC "
             "Cores") == " for want of quota");
  CHECK(told("GCE permissions error").empty());
}

TEST_CASE("the quota to raise is that of the GPU and the region") {
  Pod pod;
  pod.node_selector.set("cloud.google.com/gke-accelerator", "nvidia-l4");
  const std::string gce =
      "in zones us-central1-c associated with this pod failed: GCE quota exceeded";
  CHECK(advice_text(cloud_refusal(gce), gce, pod) ==
        "raise the project's GPU quota for nvidia-l4 in us-central1, and that of GPUs in all "
        "regions; or request another GPU type or region");
  const std::string aws = "VcpuLimitExceeded";
  CHECK(advice_text(cloud_refusal(aws), aws, {}) ==
        "raise the quota of the cloud account, or request another GPU type or region");
  const std::string named =
      "Node scale up in zones us-central1-c associated with this pod failed: Quota "
      "'NVIDIA_H100_GPUS' exceeded. Limit: 8.0 in region us-central1.";
  CHECK(advice_text(cloud_refusal(named), named, pod) ==
        "raise the quota NVIDIA_H100_GPUS in us-central1, whose limit is 8.0, or request another "
        "GPU type or region");
  const std::string cores =
      "Operation could not be completed as it results in exceeding approved "
      "standardNCADSH100v5Family Cores quota. Additional details - Deployment Model: Resource "
      "Manager, Location: eastus, Current Limit: 0, Current Usage: 0";
  CHECK(advice_text(cloud_refusal(cores), cores, {}) ==
        "raise the quota standardNCADSH100v5Family Cores in eastus, whose limit is 0, or request "
        "another GPU type or region");
  CHECK(advice_text(cloud_refusal(aws), "VcpuLimitExceeded: see L-417A185B", {}) ==
        "raise the quota L-417A185B, or request another GPU type or region");
  Pod p5;
  p5.node_selector.set("node.kubernetes.io/instance-type", "p5.48xlarge");
  CHECK(advice_text(cloud_refusal(aws),
                    "VcpuLimitExceeded: You have requested more vCPU capacity than your current "
                    "vCPU limit of 64 allows for the instance bucket",
                    p5) ==
        "raise the quota L-417A185B (Running On-Demand P instances), whose limit is 64, or request "
        "another GPU type or region");
  CHECK(advice_text(cloud_refusal("out of resources"), "", {}).find("another zone") !=
        std::string::npos);
}

}  // namespace lifecycle_cloud_refusal_test
