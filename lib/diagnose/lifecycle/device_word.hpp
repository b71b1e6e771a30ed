#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// What can be said of a pod for which the scheduler finds no devices, and that would have them as
/// far as is seen here.
struct DeviceWord {
  std::string summary;
  std::string nearest;
  std::vector<Advice> advice;
  std::vector<std::string> not_checked;
};

/// Reads the scheduler's newest word, where it says nothing but "cannot allocate all claims": the
/// DRA driver is gone from the node, whose slices the kubelet deletes after half a minute; or the
/// scheduler counts devices as held of which no claim tells. Nothing where it is older than the
/// newest change that is seen.
std::optional<DeviceWord> device_word(const scheduler::Cluster& cluster, const Pod& pod,
                                      const SchedulerWord& word);

}  // namespace gpu::diagnose
