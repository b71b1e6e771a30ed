#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// The answer for a pod for which the scheduler finds no devices, although it would fit by all that
/// was read.
struct DeviceWord {
  std::string summary;
  std::string nearest;
  std::vector<Advice> advice;
  std::vector<std::string> not_checked;
};

/// Explains the scheduler's newest message, if it is only "cannot allocate all claims". Either the
/// DRA driver is gone from the node, and the kubelet deletes its slices after half a minute; or the
/// scheduler counts devices as held that no claim holds. Nothing if the message is older than the
/// newest change that was read.
std::optional<DeviceWord> device_word(const scheduler::Cluster& cluster, const Pod& pod,
                                      const SchedulerWord& word);

}  // namespace gpu::diagnose
