#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/money.hpp"
#include "base/time.hpp"

namespace gpu {

/// What a row of gpu-instances.csv is the price of.
enum class InstanceKind : std::uint8_t {
  instance,  ///< a machine that can be bought under this name
  add_on,    ///< a GPU that is added to an N1 host of Google Cloud
  gpu,       ///< a GPU with its share of a machine, of a provider that lists no machines
  chips,     ///< TPUs, under a name that no machine has
};

/// One row of gpu-instances.csv: an instance type in one region.
struct GpuInstance {
  std::string provider;   ///< "aws"
  std::string type;       ///< "p5.48xlarge"
  std::string region;     ///< "us-east-1"; "global": the price is the same everywhere
  std::string model;      ///< canonical, as GpuModel::name; empty: a host without GPUs
  std::int64_t gpus = 0;  ///< 1 where it has a slice of one
  std::optional<std::int64_t> gpu_memory_mib, vcpus, memory_mib;
  std::optional<Money> on_demand, spot;  ///< for an hour of all of it
  std::optional<Time> as_of;             ///< of both prices, but not of spot prices of AWS
  InstanceKind kind = InstanceKind::instance;
  bool is_slice = false;  ///< it has a part of one GPU
};

/// The table, in the order of the file.
const std::vector<GpuInstance>& gpu_instances();

/// The instance type, whatever its case, of `provider` ("aws"; empty or one that the table does not
/// have: of any provider). Null when there is none.
const GpuInstance* instance_named(std::string_view type, std::string_view provider = {});

/// The instance types that have GPUs of a model, as gpu_models_named() reads its name ("H100": of
/// all H100s); no slices.
std::vector<const GpuInstance*> instances_of(std::string_view model);

/// The GPU that is added to an N1 host, by its label value ("nvidia-tesla-t4") or, where that is
/// empty, its model. Null when there is none.
const GpuInstance* add_on_named(std::string_view accelerator, std::string_view model);

}  // namespace gpu
