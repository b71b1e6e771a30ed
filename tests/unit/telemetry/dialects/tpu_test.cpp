#include <catch2/catch.hpp>

#include "telemetry/dialects/told.hpp"

namespace dialects_tpu_test {

using gpu::UtilizationKind;
using gpu::Vendor;
using gpu::telemetry::told::samples_in;

namespace {

const std::string kChip = "accelerator_id=\"1234-1\",make=\"cloud-tpu\",model=\"tpu-v6e-slice\"";
const std::string kPod = ",pod=\"train-0\",namespace=\"ml\",container=\"main\"";

}  // namespace

TEST_CASE("a TPU chip and its twins without a pod are one device") {
  const auto samples = samples_in("duty_cycle{" + kChip + kPod + "} 80\n" + "duty_cycle_node{" +
                                  kChip + "} 80\n" + "tensorcore_utilization{" + kChip + kPod +
                                  "} 22\n" + "tensorcore_utilization_node{" + kChip + "} 22\n" +
                                  "memory_bandwidth_utilization{" + kChip + kPod + "} 12\n" +
                                  "memory_used{" + kChip + kPod + "} 1000\n" + "memory_used_node{" +
                                  kChip + "} 1000\n" + "memory_total{" + kChip + kPod + "} 4000\n");
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].vendor == Vendor::google);
  CHECK(samples[0].uuid == "1234-1");
  CHECK(samples[0].index == 1);
  CHECK(samples[0].product == "tpu-v6e-slice");
  CHECK(samples[0].measures.utilization == 0.8);
  CHECK(samples[0].measures.kind == UtilizationKind::duty_cycle);
  CHECK(samples[0].measures.tensor_active == 0.22);
  CHECK(samples[0].measures.dram_active == 0.12);
  CHECK(samples[0].measures.memory_used_bytes == 1000);
  CHECK(samples[0].measures.memory_total_bytes == 4000);
  REQUIRE(samples[0].owners.size() == 1);
  CHECK(samples[0].owners[0].pod == "train-0");
  CHECK(samples[0].doubts.empty());
}

TEST_CASE("a twin alone tells of a chip that no pod uses") {
  const auto samples = samples_in("tensorcore_utilization_node{" + kChip + "} 0\n");
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].measures.tensor_active == 0.0);
  // No duty cycle was told: what the tensor cores do stands in.
  CHECK(samples[0].measures.utilization == 0.0);
  CHECK(samples[0].measures.kind == UtilizationKind::tensor_core);
  CHECK(samples[0].owners.empty());
}

TEST_CASE("everybody's names are only read of accelerators") {
  CHECK(samples_in("memory_used{host=\"db-1\"} 5\nduty_cycle{fan=\"2\"} 40\n"
                   "memory_total{accelerator_id=\"x\"} 5\n")
            .empty());
}

TEST_CASE("GKE's plugin for NVIDIA cards writes the same names") {
  const std::string card = "accelerator_id=\"GPU-1\",make=\"nvidia\",model=\"nvidia-tesla-t4\"";
  const auto samples =
      samples_in("duty_cycle{" + card + kPod + "} 30\n" + "memory_used_gpu_node{" + card +
                 "} 77\n" + "duty_cycle{accelerator_id=\"nvidia0/gi3\",make=\"nvidia\"} 1\n");
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].vendor == Vendor::nvidia);
  CHECK(samples[0].uuid == "GPU-1");
  CHECK(samples[0].measures.utilization == 0.3);
  CHECK(samples[0].measures.memory_used_bytes == 77);
}

}  // namespace dialects_tpu_test
