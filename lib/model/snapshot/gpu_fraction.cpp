#include "model/snapshot/gpu_fraction.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

#include "base/ascii.hpp"
#include "base/contains.hpp"
#include "base/quantity.hpp"

namespace gpu {
namespace {

constexpr std::string_view kGroup = "runai-gpu-group";
constexpr std::string_view kGroupOfSeveral = "runai-gpu-group/";
constexpr std::int64_t kWhole = 1000;

/// As strconv.ParseUint reads it, without a 0.
std::optional<std::int64_t> whole(std::string_view text) {
  const bool is_number =
      !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return is_digit(c); });
  const std::optional<std::int64_t> number = is_number ? whole_number(text) : std::nullopt;
  return number && *number > 0 ? number : std::nullopt;
}

/// "0.5" as 500, as strconv.ParseFloat reads it: no quantity, and no white space around it. A whole
/// GPU is no part of one for KAI's webhook, but was let in by others.
std::optional<std::int64_t> thousandths(std::string_view text) {
  double part = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), part);
  const bool is_part = problem == std::errc() && end == text.data() + text.size() && part > 0 &&
                       part <= 1;  // which NaN is not
  if (!is_part) return std::nullopt;
  return std::max<std::int64_t>(1, std::llround(part * static_cast<double>(kWhole)));
}

bool is_there(const Pod& pod, std::string_view key) { return pod.annotations.contains(key); }

bool requests_whole_gpus(const Pod& pod) {
  const auto has = [](const std::vector<Container>& containers) {
    return std::any_of(containers.begin(), containers.end(), [](const Container& container) {
      return container.limits.contains("nvidia.com/gpu") ||
             container.requests.contains("nvidia.com/gpu");
    });
  };
  return has(pod.containers) || has(pod.init_containers);
}

}  // namespace

std::optional<GpuFraction> gpu_fraction(const Pod& pod) {
  if (pod.annotations.empty() || !reads_gpu_fractions(pod.scheduler_name)) return std::nullopt;
  GpuFraction fraction;
  fraction.thousandths = thousandths(value_of(pod.annotations, kGpuFraction));
  fraction.memory_mib = whole(value_of(pod.annotations, kGpuMemory));
  if (!fraction.thousandths && !fraction.memory_mib) return std::nullopt;
  fraction.devices = whole(value_of(pod.annotations, kGpuFractionDevices)).value_or(1);
  return fraction;
}

bool reads_gpu_fractions(std::string_view scheduler) {
  static constexpr auto kOthers =
      std::to_array<std::string_view>({"hami", "volcano", "yunikorn", "gpushare"});
  if (scheduler.empty() || scheduler == "default-scheduler") return false;
  return std::none_of(kOthers.begin(), kOthers.end(),
                      [&](std::string_view part) { return contains(scheduler, part); });
}

std::vector<std::string_view> fraction_annotations(const Pod& pod) {
  std::vector<std::string_view> names;
  for (const std::string_view name : {kGpuFraction, kGpuMemory, kGpuFractionDevices})
    if (is_there(pod, name)) names.push_back(name);
  return names;
}

std::vector<FractionMistake> fraction_mistakes(const Pod& pod) {
  std::vector<FractionMistake> mistakes;
  const auto check = [&](std::string_view name, bool is_right, FractionMistake mistake) {
    if (is_there(pod, name) && !is_right) mistakes.push_back(mistake);
  };
  const std::string_view fraction = value_of(pod.annotations, kGpuFraction);
  const bool is_part = thousandths(fraction).value_or(kWhole) < kWhole;
  check(kGpuFraction, is_part, FractionMistake::no_part);
  check(kGpuMemory, whole(value_of(pod.annotations, kGpuMemory)).has_value(),
        FractionMistake::no_memory);
  check(kGpuFractionDevices, whole(value_of(pod.annotations, kGpuFractionDevices)).has_value(),
        FractionMistake::no_devices);
  const bool has_both = is_there(pod, kGpuFraction) && is_there(pod, kGpuMemory);
  const bool has_one = is_there(pod, kGpuFraction) || is_there(pod, kGpuMemory);
  if (has_both) mistakes.push_back(FractionMistake::part_and_memory);
  check(kGpuFractionDevices, has_one, FractionMistake::devices_alone);
  if (has_one && requests_whole_gpus(pod)) mistakes.push_back(FractionMistake::whole_gpus_beside);
  return mistakes;
}

std::optional<std::int64_t> thousandths_of(const GpuFraction& fraction,
                                           std::optional<std::int64_t> card_mib) {
  if (fraction.thousandths) return fraction.thousandths;
  if (!fraction.memory_mib || !card_mib || *card_mib <= 0) return std::nullopt;
  return (capped_sum(capped_product(*fraction.memory_mib, kWhole), *card_mib - 1)) / *card_mib;
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
