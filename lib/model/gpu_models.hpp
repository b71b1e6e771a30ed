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
  std::vector<std::string> aliases;        ///< label values and cloud names
};

/// The table, in the order of the file.
const std::vector<GpuModel>& gpu_models();

/// The model with this name or alias (letter case, `_` and spaces do not matter). Where several
/// have it ("A100"), the one whose memory is nearest to `memory_mib`; without that, nothing unless
/// all have the same memory.
const GpuModel* find_gpu_model(std::string_view name, std::optional<std::int64_t> memory_mib);

}  // namespace gpu
