#include "manifest/kinds/dcgm.hpp"

#include <fmt/format.h>

#include <chrono>

#include "base/duration.hpp"
#include "base/error.hpp"

namespace gpu::manifest {

std::string busy_percent(std::string_view matchers, std::string_view labels) {
  return fmt::format(
      "max by ({1}) (\n"
      "  DCGM_FI_DEV_GPU_UTIL{{{0}}} <= 100\n"
      "  or\n"
      "  label_replace(100 * (DCGM_FI_PROF_GR_ENGINE_ACTIVE{{{0}}} <= 1), \"by\", \"profiling\", "
      "\"\", "
      "\"\")\n"
      ")",
      matchers, labels);
}

std::string memory_share(std::string_view matchers, std::string_view labels) {
  return fmt::format(
      "max by ({1}) (\n"
      "  DCGM_FI_DEV_FB_USED{{{0}}} / (DCGM_FI_DEV_FB_USED{{{0}}} + DCGM_FI_DEV_FB_FREE{{{0}}})\n"
      ")",
      matchers, labels);
}

std::string idle_window(const GenOptions& options) {
  constexpr std::int64_t kHour = 3600;
  constexpr std::int64_t kMinute = 60;
  const std::int64_t seconds = options.idle_seconds.value_or(kHour);
  if (seconds < kMinute)
    throw Error(ErrorKind::usage, fmt::format("`--idle-after {}s` is less than a minute", seconds),
                "GPUs are measured every 30 seconds: for example --idle-after 1h");
  return typed_duration(std::chrono::seconds(seconds));
}

Tree release_label(const GenOptions& options) {
  return Tree::map(
      {{"release",
        options.release.empty() ? "kube-prometheus-stack" : options.release,
        {"the Helm release of Prometheus, which ignores other objects; --release changes it",
         "The Prometheus of kube-prometheus-stack selects objects by the label of its own release.",
         "NVIDIA/gpu-operator#363"}}});
}

}  // namespace gpu::manifest
