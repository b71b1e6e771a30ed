#include "model/snapshot/gpu_fraction.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/quantity.hpp"

namespace gpu {
namespace {

constexpr std::string_view kGroup = "runai-gpu-group";
constexpr std::string_view kGroupOfSeveral = "runai-gpu-group/";
/// No node has as many GPUs, and no GPU as many MiB: sums of larger ones would be mistakes.
constexpr std::int64_t kMostDevices = 1'000;
constexpr std::int64_t kMostMib = 1'000'000'000;

std::optional<std::int64_t> whole(std::string_view text, std::int64_t most) {
  const std::optional<std::int64_t> number = whole_number(trimmed(text));
  return number && *number > 0 && *number <= most ? number : std::nullopt;
}

/// "0.5" as 500.
std::optional<std::int64_t> thousandths(std::string_view text) {
  const std::optional<Quantity> part = Quantity::parse(trimmed(text));
  if (!part || *part <= Quantity{} || part->value() > kMostDevices) return std::nullopt;
  return part->milli_value();
}

}  // namespace

std::optional<GpuFraction> gpu_fraction(const Pod& pod) {
  if (pod.annotations.empty() || pod.scheduler_name.empty() ||
      pod.scheduler_name == "default-scheduler")
    return std::nullopt;
  GpuFraction fraction;
  fraction.thousandths = thousandths(value_of(pod.annotations, kGpuFraction));
  fraction.memory_mib = whole(value_of(pod.annotations, kGpuMemory), kMostMib);
  if (!fraction.thousandths && !fraction.memory_mib) return std::nullopt;
  fraction.devices =
      whole(value_of(pod.annotations, kGpuFractionDevices), kMostDevices).value_or(1);
  return fraction;
}

std::optional<std::int64_t> thousandths_of(const GpuFraction& fraction,
                                           std::optional<std::int64_t> card_mib) {
  if (fraction.thousandths) return fraction.thousandths;
  if (!fraction.memory_mib || !card_mib || *card_mib <= 0) return std::nullopt;
  return (*fraction.memory_mib * 1000 + *card_mib - 1) / *card_mib;
}

std::vector<std::string_view> gpu_groups(const Pod& pod) {
  std::vector<std::string_view> groups;
  for (const auto& [key, value] : pod.labels) {
    if (key == kGroup) groups.emplace_back(value);
    if (key.starts_with(kGroupOfSeveral))
      groups.push_back(std::string_view(key).substr(kGroupOfSeveral.size()));
  }
  return groups;
}

bool is_gpu_reservation(const Pod& pod) {
  return pod.labels.contains(kGroup) && !pod.annotations.contains(kGpuFraction) &&
         !pod.annotations.contains(kGpuMemory) &&
         (pod.name.starts_with("gpu-reservation") || pod.ns == "kai-resource-reservation" ||
          pod.ns == "runai-reservation");
}

std::string_view reserved_gpu(const Pod& reservation) {
  const std::string_view gpu = value_of(reservation.annotations, "run.ai/reserve_for_gpu_index");
  return gpu.starts_with("GPU-") ? gpu : std::string_view();
}

}  // namespace gpu
