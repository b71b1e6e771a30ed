#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// The answer for a pod that would fit, and whose scheduler has reported nothing about it.
struct SilentScheduler {
  std::string summary;  ///< the headline
  std::string nearest;
  std::vector<Remark> remarks;
  std::vector<Advice> advice;
  std::vector<std::string> not_checked;
};

/// For a pod that would fit, and whose scheduler has reported nothing about it for minutes: that
/// scheduler does not run, or does not keep up.
std::optional<SilentScheduler> silent_scheduler(const scheduler::Cluster& cluster, const Pod& pod,
                                                const std::optional<Time>& now);

}  // namespace gpu::diagnose
