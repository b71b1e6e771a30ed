#include "model/gpu/instance_table.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "model/gpu/gpu_models.hpp"

namespace gpu::gpu_instance_table_test {
namespace {

std::string type_of(const GpuInstance* row) { return row == nullptr ? "none" : row->type; }

std::int64_t count(bool (*holds)(const GpuInstance&)) {
  return std::count_if(gpu_instances().begin(), gpu_instances().end(), holds);
}

}  // namespace

TEST_CASE("every row of the table is read") {
  CHECK(gpu_instances().size() == 241);
  CHECK(count([](const GpuInstance& row) { return row.on_demand.has_value(); }) == 238);
  CHECK(count([](const GpuInstance& row) { return row.spot.has_value(); }) == 69);
  CHECK(count([](const GpuInstance& row) { return row.as_of.has_value(); }) == 187);
  CHECK(count([](const GpuInstance& row) { return row.kind == InstanceKind::add_on; }) == 5);
  CHECK(count([](const GpuInstance& row) { return row.kind == InstanceKind::gpu; }) == 6);
  CHECK(count([](const GpuInstance& row) { return row.kind == InstanceKind::chips; }) == 6);
}

TEST_CASE("every row with GPUs has a model that the table of models has, and no price is 0") {
  std::set<std::string> types;
  for (const GpuInstance& row : gpu_instances()) {
    CAPTURE(row.type);
    CHECK(types.insert(row.type).second);  // so that a type's name is enough
    CHECK((row.gpus == 0) == row.model.empty());
    CHECK(row.on_demand.value_or(Money{1}) > Money{0});
    CHECK(row.spot.value_or(Money{1}) > Money{0});
    if (row.model.empty()) continue;
    const auto& models = gpu_models();
    CHECK(std::any_of(models.begin(), models.end(),
                      [&](const GpuModel& model) { return model.name == row.model; }));
  }
}

TEST_CASE("a row in all its parts") {
  const GpuInstance* const row = instance_named("standard_nc24ads_a100_V4", "azure");
  REQUIRE(row != nullptr);
  CHECK(row->type == "Standard_NC24ads_A100_v4");
  CHECK(row->region == "eastus");
  CHECK(row->model == "A100-PCIe-80GB");
  CHECK(row->gpus == 1);
  CHECK(row->gpu_memory_mib == 81920);
  CHECK(row->vcpus == 24);
  CHECK(row->memory_mib == 220 * 1024);
  CHECK(row->on_demand == Money{3'673'000'000});
  CHECK_FALSE(row->spot);
  CHECK(row->as_of == parse_time("2026-06-18T00:00:00Z"));
  CHECK(instance_named("n1-standard-1")->memory_mib == 3840);
}

TEST_CASE("a type is looked up with its provider, or without where the table lacks that") {
  CHECK(type_of(instance_named("p5.48xlarge")) == "p5.48xlarge");
  CHECK(type_of(instance_named("p5.48xlarge", "kwok")) == "p5.48xlarge");
  CHECK(type_of(instance_named("p5.48xlarge", "gcp")) == "none");
  CHECK(type_of(instance_named("p9.48xlarge")) == "none");
  CHECK(type_of(instance_named("")) == "none");
}

TEST_CASE("what is no instance is not found by type") {
  for (const char* const type :
       {"nvidia-tesla-t4", "tpu-v5litepod-1", "tpu-v4-8", "H100-SXM-80GB", "L40S-48GB"})
    CHECK(type_of(instance_named(type)) == "none");
  CHECK(type_of(add_on_named("nvidia-tesla-t4", "")) == "nvidia-tesla-t4");
  CHECK(type_of(add_on_named("", "P100")) == "nvidia-tesla-p100");
  CHECK(type_of(add_on_named("nvidia-l4", "")) == "none");
}

TEST_CASE("slices are known by their memory") {
  std::vector<std::string> slices;
  for (const GpuInstance& row : gpu_instances())
    if (row.is_slice) slices.push_back(row.type);
  CHECK(slices == std::vector<std::string>{"g6f.large", "g6f.xlarge", "g6f.2xlarge", "g6f.4xlarge",
                                           "gr6f.4xlarge", "g4-standard-6", "g4-standard-12",
                                           "g4-standard-24", "Standard_NV6ads_A10_v5",
                                           "Standard_NV12ads_A10_v5", "Standard_NV18ads_A10_v5"});
}

TEST_CASE("the types of a model are machines with whole GPUs") {
  const std::vector<const GpuInstance*> found = instances_of("A10");
  std::vector<std::string> types;
  for (const GpuInstance* row : found) types.push_back(row->type);
  CHECK(types == std::vector<std::string>{"Standard_NV36ads_A10_v5", "Standard_NV36adms_A10_v5",
                                          "Standard_NV72ads_A10_v5", "BM.GPU.A10.4", "VM.GPU.A10.1",
                                          "VM.GPU.A10.2", "gpu_1x_a10"});
  CHECK(instances_of("H100").size() > instances_of("H100-SXM5-80GB").size());
  CHECK(instances_of("T4").size() == 11);  // and not the T4 that is added to N1
  CHECK(instances_of("RTX-3090").empty());
}

}  // namespace gpu::gpu_instance_table_test
