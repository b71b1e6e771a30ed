#pragma once

#include <set>
#include <string>

#include "scheduler/cluster/findings.hpp"
#include "scheduler/cluster/node_view.hpp"

namespace gpu::scheduler {

/// VolumeRestrictions for one pod: disks that two pods cannot share on a node, and claims that one
/// pod at a time may use. Refers to the cluster and the pod.
class VolumeRestrictions {
 public:
  VolumeRestrictions(const Cluster& cluster, const Pod& pod, const EndedPods& ended = {});

  [[nodiscard]] const PreFilterResult& before() const { return before_; }
  void ask(const NodeView& node, Findings& findings) const;

 private:
  void find_exclusive_claims(const Cluster& cluster);
  [[nodiscard]] bool has_disk_conflict(const NodeView& node) const;
  [[nodiscard]] std::int64_t uses_of_exclusive_claims(const Pod& pod) const;

  [[nodiscard]] bool has_ended(const Pod* pod) const;

  const Pod& pod_;
  EndedPods ended_;
  bool says_same_claim_;
  PreFilterResult before_;
  std::set<std::string, std::less<>> exclusive_;  ///< ReadWriteOncePod claims, by name
  std::int64_t taken_ = 0;                        ///< how many of them pods on nodes use
};

}  // namespace gpu::scheduler
