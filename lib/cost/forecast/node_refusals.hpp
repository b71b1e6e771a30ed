#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/objects/pod.hpp"
#include "model/snapshot/snapshot.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::cost {

/// Why no node of a cluster fits a pod, in the words of why-pending. Ignores what is temporary, as
/// pricing of nodes does: cordons, and unhealthy nodes. Each request is judged once.
class NodeRefusals {
 public:
  /// Refers to the snapshot.
  explicit NodeRefusals(const Snapshot& snapshot);
  NodeRefusals(const NodeRefusals&) = delete;
  NodeRefusals& operator=(const NodeRefusals&) = delete;
  ~NodeRefusals();

  /// "pod does not tolerate team=x:NoSchedule of the 2 nodes that have GPUs"; empty if nodes were
  /// not read, if the pod has claims, and if the pod fits on a node.
  std::string reason(const Pod& pod);

 private:
  const scheduler::Cluster& cluster();

  const Snapshot& snapshot_;
  std::unique_ptr<const Snapshot> well_;  ///< with all nodes healthy; created on first use
  std::unique_ptr<const scheduler::Cluster> cluster_;  ///< of it
  std::vector<std::pair<Pod, std::string>> known_;
};

}  // namespace gpu::cost
