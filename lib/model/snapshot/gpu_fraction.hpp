#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/objects/pod.hpp"

namespace gpu {

/// The annotations by which KAI and Run:ai let a pod request a part of a GPU.
inline constexpr std::string_view kGpuFraction = "gpu-fraction";
inline constexpr std::string_view kGpuMemory = "gpu-memory";  ///< MiB
inline constexpr std::string_view kGpuFractionDevices = "gpu-fraction-num-devices";
/// The node's label by which they know how many MiB each of its GPUs has.
inline constexpr std::string_view kGpuMemoryLabel = "nvidia.com/gpu.memory";

/// How the groups begin that planned pods are put into: no label of a real one has a slash.
inline constexpr std::string_view kPlannedGroup = "planned/";

/// What a pod requests by these annotations; one of the two amounts is known.
struct GpuFraction {
  std::int64_t devices = 1;                      ///< so many GPUs, the same part of each
  std::optional<std::int64_t> thousandths = {};  ///< of a GPU
  std::optional<std::int64_t> memory_mib = {};   ///< of a GPU's memory
};

/// Nothing where the pod has no such annotation, or one that is no part of a GPU, and for a pod
/// whose scheduler reads none of them.
std::optional<GpuFraction> gpu_fraction(const Pod& pod);

/// Whether a scheduler of that name may be KAI or Run:ai, which may be installed under other names.
bool reads_gpu_fractions(std::string_view scheduler);

/// Those of these annotations that the pod has, whatever their values.
std::vector<std::string_view> fraction_annotations(const Pod& pod);

/// For what KAI's admission webhook refuses a pod. Source: ValidateGpuRequests() of its
/// gpurequesthandler.
enum class FractionMistake : std::uint8_t {
  no_part,            ///< gpu-fraction is no number above 0 and below 1
  no_memory,          ///< gpu-memory is no whole number above 0
  no_devices,         ///< gpu-fraction-num-devices is none
  part_and_memory,    ///< gpu-fraction and gpu-memory
  devices_alone,      ///< gpu-fraction-num-devices without either
  whole_gpus_beside,  ///< either, and a limit of nvidia.com/gpu
};
std::vector<FractionMistake> fraction_mistakes(const Pod& pod);

/// The part of a GPU of `card_mib` MiB in thousandths, rounded up; nothing where the request is of
/// memory, and the size of the GPU is not known.
std::optional<std::int64_t> thousandths_of(const GpuFraction& fraction,
                                           std::optional<std::int64_t> card_mib);

/// The shared GPUs that a pod has, or reserves, by the names that KAI's binder gives them (label
/// runai-gpu-group, or one label for each of several).
std::vector<std::string_view> gpu_groups(const Pod& pod);

/// Whether KAI's or Run:ai's binder created the pod to hold a whole GPU for the pods that share it.
bool is_gpu_reservation(const Pod& pod);

/// The UUID of the GPU that a reservation pod holds, as its binder wrote it down; empty where it
/// wrote none, or a number.
std::string_view reserved_gpu(const Pod& reservation);

}  // namespace gpu
