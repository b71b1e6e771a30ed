#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/snapshot/workload.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::scheduler {

/// Pods by their controller; finished ones are left out. For Cluster::shared(). One answer needs
/// few of all pods, so the index holds only numbers, to be small.
class OwnedPods {
 public:
  explicit OwnedPods(const Cluster& cluster);

  /// The pods of an object by its UID, also of objects that it controls, such as a Deployment's
  /// ReplicaSets. They may be waiting, or ending.
  [[nodiscard]] std::vector<const Pod*> of(std::string_view uid) const;

 private:
  void add_made_by(std::string_view uid, std::vector<const Pod*>& pods) const;

  const Snapshot& snapshot_;
  std::unordered_map<std::string_view, std::uint32_t> first_;     ///< by UID, in snapshot.pods
  std::multimap<std::string_view, std::string_view> controlled_;  ///< UIDs by their controller's
  std::vector<std::uint32_t> next_;  ///< after each pod, the next of the same controller
};

using gpu::controller_of;

}  // namespace gpu::scheduler
