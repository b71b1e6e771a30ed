#include "model/gpu/gpu_labels.hpp"

#include <catch2/catch.hpp>

#include "model/gpu/gpu_models.hpp"

namespace gpu_gpu_labels_test {

using namespace gpu;

TEST_CASE("the table of models is whole") {
  CHECK(gpu_models().size() == 61);
  for (const GpuModel& model : gpu_models()) {
    INFO(model.name);
    CHECK_FALSE(model.name.empty());
    CHECK(find_gpu_model(model.name, model.memory_mib) != nullptr);
  }
}

TEST_CASE("short names of models") {
  CHECK(short_model("NVIDIA-H100-80GB-HBM3", 81559) == "H100-80G");
  CHECK(short_model("NVIDIA-L4", 23034) == "L4-24G");
  CHECK(short_model("Tesla-T4-SHARED", 15360) == "T4-16G");
  CHECK(short_model("nvidia-tesla-a100", std::nullopt) == "A100-40G");
  CHECK(short_model("NVIDIA-A100-SXM4-80GB-MIG-1g.10gb", std::nullopt) == "A100-80G");
  CHECK(short_model("AMD_Instinct_MI300X_OAM", std::nullopt) == "MI300X-192G");
  CHECK(short_model("tpu-v5-lite-podslice", std::nullopt) == "TPU-v5e");
  CHECK(short_model("NVIDIA-RTX-A6000", std::nullopt) == "RTX-A6000-48G");
  SECTION("a name that several cards have needs the memory") {
    CHECK(short_model("A100", 38000) == "A100-40G");
    CHECK(short_model("A100", 81000) == "A100-80G");
    CHECK(short_model("A100", std::nullopt) == "A100");
  }
  SECTION("a card that the table lacks keeps its name, cleaned") {
    CHECK(short_model("NVIDIA-X900-SXM7-512GB-HBM5", std::nullopt) == "X900-512G");
    CHECK(short_model("Tesla-Z1", std::nullopt) == "Z1");
  }
}

TEST_CASE("families") {
  CHECK(family_of("H100-80G") == "H100");
  CHECK(family_of("RTX-A6000-48G") == "RTX-A6000");
  CHECK(family_of("TPU-v5e") == "TPU-v5e");
  CHECK(family_of("K80") == "K80");
}

TEST_CASE("GPU feature discovery") {
  const auto labels = gpu_labels({{"nvidia.com/gpu.product", "Tesla-T4-SHARED"},
                                  {"nvidia.com/gpu.count", "4"},
                                  {"nvidia.com/gpu.memory", "15360"},
                                  {"nvidia.com/gpu.replicas", "10"},
                                  {"nvidia.com/cuda.driver.major", "550"},
                                  {"nvidia.com/cuda.driver.minor", "54"},
                                  {"nvidia.com/cuda.driver.rev", "15"}});
  REQUIRE(labels);
  CHECK(labels->model == "T4-16G");
  CHECK(labels->count == 4);
  CHECK(labels->sharing == Sharing{SharingStrategy::time_slicing, 10});
  CHECK(labels->driver == "550.54.15");
}

TEST_CASE("MPS and its replicas") {
  const auto labels = gpu_labels({{"nvidia.com/gpu.present", "true"},
                                  {"nvidia.com/gpu.sharing-strategy", "mps"},
                                  {"nvidia.com/gpu.replicas", "2"}});
  CHECK(labels->sharing == Sharing{SharingStrategy::mps, 2});
  CHECK(labels->product.empty());
}

TEST_CASE("clouds name cards in their own ways") {
  CHECK(gpu_labels({{"cloud.google.com/gke-accelerator", "nvidia-h100-80gb"}})->model ==
        "H100-80G");
  CHECK(gpu_labels({{"karpenter.k8s.aws/instance-gpu-name", "l4"},
                    {"karpenter.k8s.aws/instance-gpu-count", "8"}})
            ->cards == 8);
  const auto gaudi = gpu_labels({{"karpenter.k8s.aws/instance-gpu-name", "gaudi"},
                                 {"karpenter.k8s.aws/instance-gpu-manufacturer", "habana"}});
  CHECK(gaudi->vendor == Vendor::habana);
  CHECK(gpu_labels({{"karpenter.k8s.aws/instance-accelerator-name", "trainium"}})->vendor ==
        Vendor::aws);
  const auto autoscaled = gpu_labels({{"k8s.amazonaws.com/accelerator", "nvidia-tesla-v100"}});
  CHECK(autoscaled->vendor == Vendor::nvidia);
  CHECK(autoscaled->product == "nvidia-tesla-v100");
  CHECK(gpu_labels({{"kubernetes.azure.com/accelerator", "nvidia"}})->model.empty());
  CHECK(gpu_labels({{"amd.com/gpu.vram", "64G"}})->memory_mib == 65536);
  CHECK(gpu_labels({{"beta.amd.com/gpu.vram.64G", "1"}})->vendor == Vendor::amd);
  CHECK(gpu_labels({{"cloud.google.com/gke-tpu-accelerator", "tpu-v6e-slice"}})->vendor ==
        Vendor::google);
}

TEST_CASE("a node without a GPU label, and labels that say no") {
  CHECK_FALSE(gpu_labels({{"kubernetes.io/hostname", "cpu-1"}}));
  CHECK_FALSE(gpu_labels({{"nvidia.com/gpu.present", "false"}}));
  CHECK_FALSE(gpu_labels({{"cloud.google.com/gke-accelerator", ""}}));
  CHECK_FALSE(gpu_labels({}));
}

TEST_CASE("numbers that are none are unknown") {
  const auto labels = gpu_labels({{"nvidia.com/gpu.present", "true"},
                                  {"nvidia.com/gpu.count", "eight"},
                                  {"nvidia.com/gpu.memory", "-5"},
                                  {"nvidia.com/gpu.replicas", "99999999999999999999"}});
  CHECK_FALSE(labels->count);
  CHECK_FALSE(labels->memory_mib);
  CHECK(labels->sharing.replicas == 1);
}

TEST_CASE("a memory label that no card can have is unlike every card") {
  const auto labels = gpu_labels({{"nvidia.com/gpu.product", "NVIDIA-A100"},
                                  {"nvidia.com/gpu.memory", "9223372036854775807"}});
  CHECK(labels->model == "A100");
}

TEST_CASE("a type that sells parts of a card has no count of cards") {
  CHECK_FALSE(gpu_labels({{"karpenter.k8s.aws/instance-gpu-name", "l4"},
                          {"karpenter.k8s.aws/instance-gpu-count", "0"}})
                  ->cards);
}

TEST_CASE("the MIG single strategy does not fit the cards: zeros are no numbers") {
  const auto labels = gpu_labels({{"nvidia.com/gpu.product", "NVIDIA-A100-SXM4-40GB-MIG-INVALID"},
                                  {"nvidia.com/gpu.count", "0"},
                                  {"nvidia.com/gpu.replicas", "0"},
                                  {"nvidia.com/gpu.memory", "0"}});
  REQUIRE(labels);
  CHECK(labels->single_mig_profile.empty());
  CHECK_FALSE(labels->count);
  CHECK_FALSE(labels->memory_mib);
  CHECK(labels->model == "A100-40G");
}

TEST_CASE("the memory of a slice says nothing of its card") {
  const auto labels = gpu_labels({{"nvidia.com/gpu.product", "NVIDIA-A100-PCIE"},
                                  {"cloud.google.com/gke-gpu-partition-size", "3g.40gb"},
                                  {"nvidia.com/gpu.memory", "40192"}});
  REQUIRE(labels);
  CHECK(labels->single_mig_profile == "3g.40gb");
  CHECK(labels->model == "A100");
}

TEST_CASE("ways of sharing are called as in JSON") {
  CHECK(name_of(SharingStrategy::none) == "none");
  CHECK(name_of(SharingStrategy::time_slicing) == "time-slicing");
  CHECK(name_of(SharingStrategy::mps) == "mps");
  CHECK(name_of(SharingStrategy::hami) == "hami");
  CHECK(name_of(SharingStrategy::volcano) == "volcano");
  CHECK(name_of(SharingStrategy::gpushare) == "gpushare");
  CHECK(name_of(SharingStrategy::shared) == "shared");
  CHECK(name_of(SharingStrategy::capacity) == "capacity");
}

}  // namespace gpu_gpu_labels_test
