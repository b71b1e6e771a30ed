#include "model/gpu/gpu_models.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

namespace gpu::gpu_gpu_models_test {
namespace {

std::string found(std::string_view name, std::optional<std::int64_t> memory_mib = {}) {
  const GpuModel* const model = find_gpu_model(name, memory_mib);
  return model == nullptr ? "none" : model->name;
}

}  // namespace

TEST_CASE("a model is found by its name, an alias or a short name, in any letter case") {
  CHECK(found("L4") == "L4");
  CHECK(found("NVIDIA-L4") == "L4");
  CHECK(found("nvidia l4") == "L4");
  CHECK(found("NVIDIA_H100_80GB_HBM3") == "H100-SXM5-80GB");
  CHECK(found("A100-SXM4-40GB") == "A100-SXM4-40GB");
  CHECK(found("L") == "none");
  CHECK(found("NVIDIA") == "none");
}

TEST_CASE("of several models with a name the first is it where all have one memory") {
  CHECK(found("A100-80GB") == "A100-PCIe-80GB");
  CHECK(found("A100-SXM4") == "none");
  CHECK(found("A100-SXM4", 81920) == "A100-SXM4-80GB");
  CHECK(found("A100-SXM4", 40960) == "A100-SXM4-40GB");
}

TEST_CASE("memory agrees within 12 percent of the nominal size") {
  CHECK(found("L4", 23034) == "L4");
  CHECK(found("L4", 24576 - 2949) == "L4");
  CHECK(found("L4", 24576 - 2950) == "none");
  CHECK(found("L4", 24576 + 2949) == "L4");
  CHECK(found("L4", 24576 + 2950) == "none");
}

TEST_CASE("the table has what its file says of a model") {
  const auto& models = gpu_models();
  const auto model = std::find_if(models.begin(), models.end(),
                                  [](const GpuModel& each) { return each.name == "T4"; });
  REQUIRE(model != models.end());
  CHECK(model->vendor == "nvidia");
  CHECK(model->memory_mib == 16384);
  CHECK(model->mig_profiles.empty());
  CHECK(model->aliases ==
        std::vector<std::string>{"Tesla-T4", "Tesla-T4-SHARED", "nvidia-tesla-t4", "t4"});
  CHECK(find_gpu_model("H100-PCIe", {})->mig_profiles ==
        std::vector<std::string>{"1g.10gb", "1g.10gb+me", "1g.20gb", "2g.20gb", "3g.40gb",
                                 "4g.40gb", "7g.80gb"});
  CHECK(std::none_of(models.begin(), models.end(),
                     [](const GpuModel& each) { return each.name == "model"; }));
}

}  // namespace gpu::gpu_gpu_models_test
