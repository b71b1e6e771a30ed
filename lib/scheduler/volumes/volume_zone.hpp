#pragma once

#include <string>
#include <vector>

#include "scheduler/cluster/findings.hpp"
#include "scheduler/cluster/node_view.hpp"

namespace gpu::scheduler {

/// VolumeZone for one pod: labels of its volumes that name zones. Refers to the cluster and the
/// pod.
class VolumeZone {
 public:
  VolumeZone(const Cluster& cluster, const Pod& pod);

  [[nodiscard]] const PreFilterResult& before() const { return before_; }
  void ask(const NodeView& node, Findings& findings) const;

 private:
  /// A label of a volume, and the values that a node may have for it.
  struct Constraint {
    std::string key;
    std::vector<std::string> values;
  };
  void refuse(std::string message);
  /// Whether the claim is in order; otherwise nothing more is checked.
  bool read(const Cluster& cluster, const PersistentVolumeClaim& claim);
  bool read_unbound(const Cluster& cluster, const PersistentVolumeClaim& claim);
  void add_constraints(const PersistentVolume& volume);

  PreFilterResult before_;
  std::vector<Constraint> constraints_;
};

}  // namespace gpu::scheduler
