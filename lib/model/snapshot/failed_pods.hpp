#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/time.hpp"
#include "model/objects/pod.hpp"

namespace gpu {

/// Pods that wait for GPUs, and for how many.
struct WaitingSums {
  std::int64_t pods = 0;
  std::int64_t gpus = 0;
  friend bool operator==(const WaitingSums&, const WaitingSums&) = default;
};

/// Whether it failed before it did anything: its kubelet refused it, or one of its containers could
/// not be started. It stays Failed; whoever controls it creates another.
bool failed_before_start(const Pod& pod);

/// The ownerReference of who creates the pod anew; null where nobody does.
const OwnerReference* controller_of(const Pod& pod);

/// What a controller's pods that request GPUs say of how many of them are missing.
struct ControlledPods {
  std::string ns;
  OwnerReference controller;
  std::int64_t live = 0;  ///< neither finished nor being deleted
  /// Of those that failed before they started: when each was created, and its GPUs.
  std::multiset<std::pair<Time, std::int64_t>> failed;
  std::optional<std::int64_t> wanted;  ///< spec.replicas, where it was read
  friend bool operator==(const ControlledPods&, const ControlledPods&) = default;
};

/// How many of `failed` pods stand for pods that are missing: as many as `wanted` lacks of live
/// ones; where that is not known, one if none is alive. The others were replaced.
std::int64_t pods_to_replace(std::int64_t live, std::int64_t failed,
                             const std::optional<std::int64_t>& wanted);

/// By the controller's uid; a pod without one is its own.
using ControlledPodsByUid = std::map<std::string, ControlledPods, std::less<>>;

/// What the failed pods wait for: the newest of each controller, as many as are missing.
WaitingSums waiting_for_replacement(const ControlledPodsByUid& pods);

}  // namespace gpu
