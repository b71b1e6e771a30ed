#include "diagnose/lifecycle/trouble.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace gpu::diagnose {

Advice look_at_pod(const Pod& pod, std::string summary) {
  return {.summary = std::move(summary),
          .command = fmt::format("kubectl describe pod {} -n {}", shell_quoted(pod.name),
                                 shell_quoted(pod.ns))};
}

Advice create_anew(const Pod& pod, std::string_view lead) {
  const std::string_view then = pod.owners.empty()
                                    ? "; it has no owner that creates another: create it again "
                                      "from its manifest"
                                    : ", and its owner creates another";
  return {.summary = fmt::format("{}{}", lead, then),
          .command = fmt::format("kubectl delete pod {} -n {}", shell_quoted(pod.name),
                                 shell_quoted(pod.ns))};
}

}  // namespace gpu::diagnose
