#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpu {

/// One row of gpu-models.csv.
struct GpuModel {
  std::string name;                        ///< canonical: "H100-SXM5-80GB"
  std::string vendor;                      ///< "nvidia"
  std::optional<std::int64_t> memory_mib;  ///< nominal
  std::vector<std::string> mig_profiles;   ///< "1g.10gb", "1g.10gb+me"; empty also when unknown
  std::optional<std::int64_t> watts;       ///< power of the board, where tables agree on it
  std::vector<std::string> aliases;        ///< label values and cloud names
  bool has_unified_memory = false;         ///< the machine's memory: drivers report none of its own
};

/// The table, in the order of the file.
const std::vector<GpuModel>& gpu_models();

/// The models with this name, alias, or start of a name ("A100"; letter case, `_` and spaces do not
/// matter) whose memory agrees with `memory_mib`, where that is known.
std::vector<const GpuModel*> gpu_models_named(std::string_view name,
                                              std::optional<std::int64_t> memory_mib);

/// The first of gpu_models_named(); nothing when several of different memory remain.
const GpuModel* find_gpu_model(std::string_view name, std::optional<std::int64_t> memory_mib);

}  // namespace gpu
