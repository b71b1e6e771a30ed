#include "usage/rows/device_memory.hpp"

#include <string>

#include "base/ascii.hpp"
#include "base/quantity.hpp"
#include "model/gpu/gpu_labels.hpp"

namespace gpu::usage {

std::optional<std::int64_t> labelled_memory(const Node& node, const Pool& pool) {
  constexpr std::int64_t kMi = 1 << 20;
  const std::optional<GpuLabels> labels = gpu_labels(node.labels);
  if (!labels || labels->vendor != pool.kind.vendor) return std::nullopt;
  std::optional<std::int64_t> mib;
  const bool is_single_mig = !labels->single_mig_profile.empty();
  if (pool.kind.kind == DeviceKind::card ||
      (pool.kind.kind == DeviceKind::mig_slice && is_single_mig))
    mib = labels->memory_mib;
  else if (pool.kind.kind == DeviceKind::mig_slice)
    mib = whole_number(value_of(node.labels, "nvidia.com/mig-" + pool.kind.profile + ".memory"));
  return mib && *mib > 0 ? std::optional(capped_product(*mib, kMi)) : std::nullopt;
}

std::optional<std::int64_t> profile_memory(std::string_view profile) {
  const std::size_t dot = profile.find('.');
  const std::size_t unit = profile.find("gb");
  if (dot == std::string_view::npos || unit == std::string_view::npos || unit < dot)
    return std::nullopt;
  const auto gib = whole_number(profile.substr(dot + 1, unit - dot - 1));
  if (!gib || *gib <= 0) return std::nullopt;
  return capped_product(*gib, std::int64_t{1} << 30);
}

}  // namespace gpu::usage
