#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "model/gpu/sample.hpp"
#include "model/objects/pod.hpp"

namespace gpu::usage {

/// A pod of the snapshot that telemetry names as user of a device, and that can be one: it exists,
/// has not finished, and is bound to that node.
struct DeviceUser {
  const Pod* pod = nullptr;
  std::string container;
  std::string share;
  Measures own;  ///< of this pod alone
};

/// One device with live use: the merged values of all its samples. It is identified by the node,
/// the card's UUID, and the GPU instance.
struct DeviceUse {
  std::string node;
  std::string card;               ///< the same text for all parts of one card of the node
  Sample sample;                  ///< merged: each measure once, the newest that is credible
  std::vector<DeviceUser> users;  ///< checked; in the order reported
  std::optional<std::chrono::seconds> age;  ///< of the sample, by the clock of the answer
  /// Older than 5 minutes: only measures of a window are left, without idle time.
  bool is_stale = false;
};

}  // namespace gpu::usage
