#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scheduler/cluster/findings.hpp"
#include "scheduler/cluster/node_view.hpp"

namespace gpu::scheduler {

/// A driver that would have to attach more volumes to a node than it may.
struct VolumeExcess {
  std::string driver;
  std::int64_t attached = 0;
  std::int64_t limit = 0;
};

/// NodeVolumeLimits for one pod: how many volumes a CSI driver attaches to a node. Refers to the
/// cluster and the pod.
class VolumeLimits {
 public:
  /// `ended`: pods that are gone for good. Their volumes are detached; while the scheduler only
  /// tries what ending pods would do, it counts VolumeAttachments as they are.
  VolumeLimits(const Cluster& cluster, const Pod& pod, const EndedPods& ended = {});

  [[nodiscard]] const PreFilterResult& before() const { return before_; }
  void ask(const NodeView& node, Findings& findings) const;
  /// The first driver of the node that may not attach what the pod needs. What cannot be worked
  /// out aborts `findings`.
  [[nodiscard]] std::optional<VolumeExcess> excess(const NodeView& node, Findings& findings) const;

 private:
  void check_coverage();

  const Cluster& cluster_;
  const Pod& pod_;
  EndedPods ended_;
  PreFilterResult before_;
};

}  // namespace gpu::scheduler
