#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/resource_list.hpp"
#include "base/time.hpp"
#include "model/objects/coverage.hpp"
#include "model/objects/node.hpp"
#include "model/objects/pod.hpp"

namespace gpu {

/// How it is known when a pod that is gone let go of its GPUs.
enum class PastEnd : std::uint8_t {
  completed,  ///< it reached a terminal phase, at a time that was written down
  last_seen,  ///< it was deleted before: when metrics told of it the last time
  unseen,     ///< metrics told of no pod at all for a while, and of this one not afterwards
};

/// A pod that is listed no more, as metrics of the time tell of it.
struct PastPod {
  std::string ns;
  std::string name;
  std::string uid;   ///< empty: metrics do not tell
  std::string node;  ///< empty: not known
  /// From its controller to the top, as far as metrics tell: kinds and names alone. Empty: it had
  /// no controller.
  std::vector<OwnerReference> owners;
  ResourceList requests;          ///< of GPUs alone, as the scheduler adds them up
  std::optional<Time> scheduled;  ///< PodScheduled; nothing: not told
  std::optional<Time> ended;      ///< nothing: not told
  PastEnd end = PastEnd::last_seen;
  friend bool operator==(const PastPod&, const PastPod&) = default;
};

/// What metrics tell of pods that are gone.
struct History {
  /// Over which time; nothing: nobody asked, or nobody could tell.
  std::optional<std::chrono::seconds> window;
  Coverage coverage = Coverage::none;  ///< partial: not all questions were answered
  std::vector<PastPod> pods;           ///< sorted by namespace, name and uid; none is listed now
  /// Nodes of these that are gone: of labels, capacity and the provider's ID what metrics tell.
  std::vector<Node> nodes;
};

}  // namespace gpu
