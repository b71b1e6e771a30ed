#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/objects/pod.hpp"

namespace gpu::cost {

/// One whole GPU, in the thousandths in which parts are counted.
inline constexpr std::int64_t kThousandths = 1000;

/// What a pod requests of each of several GPUs, if it does not request all of it.
struct GpuPart {
  std::optional<std::int64_t> thousandths;  ///< of a GPU (KAI, Run:ai)
  std::int64_t memory_mib = 0;              ///< 0: not in MiB
  std::int64_t memory_percent = 0;          ///< of its memory; 0: not by percent
  std::int64_t cores = 0;                   ///< percent of its compute
  bool is_held_whole = false;               ///< a pod holds the whole GPU for those who share it
  friend bool operator==(const GpuPart&, const GpuPart&) = default;
};

/// Thousandths of a GPU of `card_mib` MiB: the larger of compute and memory, as running pods are
/// charged. Nothing if the part is an amount of memory and the GPU's memory is not known.
std::optional<std::int64_t> thousandths_of(const GpuPart& part,
                                           std::optional<std::int64_t> card_mib);

/// For people: "0.5", "4000 MiB", "50 % of the memory and 30 % of the compute".
std::string text_of(const GpuPart& part);

/// Parts of `units` GPUs that a scheduler knows as `resource`.
struct PartRequest {
  std::string resource;
  std::int64_t units = 0;
  GpuPart part;
};

/// The parts of GPUs that the pod requests: by KAI's annotations, or by resources of HAMi or
/// Volcano beside their GPUs. Empty: it requests whole units alone.
std::vector<PartRequest> part_requests(const Pod& pod);

/// Whether `resource` is an amount of such a part, which nodes do not advertise.
bool is_of_part(std::string_view resource);

}  // namespace gpu::cost
