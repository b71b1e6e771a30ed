#include "diagnose/lifecycle/trouble.hpp"

#include <fmt/format.h>

#include "base/contains.hpp"
#include "base/text.hpp"

namespace gpu::diagnose {

Advice look_at_pod(const Pod& pod, std::string summary) {
  return {.summary = std::move(summary),
          .command = fmt::format("kubectl describe pod {} -n {}", shell_quoted(pod.name),
                                 shell_quoted(pod.ns))};
}

bool is_about_gpu_runtime(std::string_view message) {
  return contains(message, "no runtime for") || contains(message, "nvidia-container") ||
         contains(message, "libcuda") || contains(message, "libnvidia-ml") ||
         contains(message, "CUDA") || contains(message, "unresolvable CDI devices");
}

Trouble runtime_trouble(const std::string& node, std::string_view message) {
  return {.code = Code::runtime_missing,
          .summary = fmt::format("its containers cannot start on {}: {}", node, message),
          .advice = {{.summary = "install or configure the GPU maker's container toolkit on " +
                                 node + ", and check that the driver answers there"}}};
}

}  // namespace gpu::diagnose
