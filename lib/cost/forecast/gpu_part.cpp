#include "cost/forecast/gpu_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/quantity.hpp"
#include "model/objects/quantity_text.hpp"
#include "model/snapshot/card_use.hpp"
#include "model/snapshot/gpu_fraction.hpp"

namespace gpu::cost {
namespace {

constexpr std::int64_t kPercent = 100;

/// What a scheduler calls the amounts of each GPU, and one GPU where the pod names no number.
struct PartNames {
  SharingStrategy by = SharingStrategy::hami;
  std::string_view gpus, memory, percent, cores;
};
constexpr auto kPartNames = std::to_array<PartNames>(
    {{SharingStrategy::hami, "nvidia.com/gpu", "nvidia.com/gpumem", "nvidia.com/gpumem-percentage",
      "nvidia.com/gpucores"},
     {SharingStrategy::volcano, "volcano.sh/vgpu-number", "volcano.sh/vgpu-memory",
      "volcano.sh/vgpu-memory-percentage", "volcano.sh/vgpu-cores"}});

/// A limit, else a request.
std::int64_t asked(const Container& container, std::string_view resource) {
  const std::int64_t limit = amount_of(container.limits, resource).value();
  return limit > 0 ? limit : amount_of(container.requests, resource).value();
}

GpuPart part_of(const Container& container, const PartNames& names) {
  return {.thousandths = {},
          .memory_mib = asked(container, names.memory),
          .memory_percent = std::clamp<std::int64_t>(asked(container, names.percent), 0, kPercent),
          .cores = std::clamp<std::int64_t>(asked(container, names.cores), 0, kPercent)};
}

/// The name under which the container requests GPUs of that scheduler, and how many.
std::pair<std::string, std::int64_t> gpus_of(const Container& container, const PartNames& names) {
  for (const ResourceList* list : {&container.limits, &container.requests})
    for (const auto& [name, amount] : *list)
      if (is_shared_by(names.by, name) && amount.value() > 0) return {name, amount.value()};
  return {std::string(names.gpus), 0};
}

std::vector<PartRequest> by_resources(const Pod& pod, const PartNames& names) {
  std::vector<PartRequest> requests;
  bool has_part = false;
  for (const Container& container : pod.containers) {
    auto [resource, units] = gpus_of(container, names);
    const GpuPart part = part_of(container, names);
    // HAMi's webhook adds one GPU to who requests a part of none.
    if (part != GpuPart{}) units = std::max<std::int64_t>(1, units);
    has_part = has_part || part != GpuPart{};
    if (units > 0) requests.push_back({std::move(resource), units, part});
  }
  return has_part ? requests : std::vector<PartRequest>{};
}

std::int64_t part_of_whole(std::int64_t part, std::int64_t whole) {
  return std::min(kThousandths, (capped_product(part, kThousandths) + whole - 1) / whole);
}

}  // namespace

std::optional<std::int64_t> thousandths_of(const GpuPart& part,
                                           std::optional<std::int64_t> card_mib) {
  if (part.thousandths) return part.thousandths;
  const std::int64_t cores = part_of_whole(part.cores, kPercent);
  // Who names no memory gets all of it, unless HAMi is configured otherwise.
  if (part.memory_mib <= 0)
    return part.memory_percent > 0 ? std::max(cores, part_of_whole(part.memory_percent, kPercent))
                                   : kThousandths;
  if (cores == kThousandths) return kThousandths;
  if (!card_mib || *card_mib <= 0) return std::nullopt;
  return std::max(cores, part_of_whole(part.memory_mib, *card_mib));
}

std::string text_of(const GpuPart& part) {
  if (part.thousandths) return amount_text(kGpuFraction, *part.thousandths);
  std::string text = part.memory_mib > 0 ? fmt::format("{} MiB", part.memory_mib)
                     : part.memory_percent > 0
                         ? fmt::format("{} % of the memory", part.memory_percent)
                         : std::string("all memory");
  if (part.cores > 0) text += fmt::format(" and {} % of the compute", part.cores);
  return text;
}

std::vector<PartRequest> part_requests(const Pod& pod) {
  if (const std::optional<GpuFraction> fraction = gpu_fraction(pod)) {
    const std::int64_t memory = fraction->thousandths ? 0 : fraction->memory_mib.value_or(0);
    return {{"nvidia.com/gpu",
             fraction->devices,
             {.thousandths = fraction->thousandths, .memory_mib = memory, .is_held_whole = true}}};
  }
  for (const PartNames& names : kPartNames)
    if (std::vector<PartRequest> requests = by_resources(pod, names); !requests.empty())
      return requests;
  return {};
}

bool is_of_part(std::string_view resource) {
  return std::any_of(kPartNames.begin(), kPartNames.end(), [&](const PartNames& names) {
    return resource == names.memory || resource == names.percent || resource == names.cores;
  });
}

}  // namespace gpu::cost
