#pragma once

#include <unordered_set>

#include "model/objects/claim.hpp"
#include "scheduler/cluster/node_view.hpp"

namespace gpu::scheduler {

/// Claims that release their devices when pods end. A claim that was created for one of them is
/// deleted. A claim that others may use, too, is deallocated with its last user. Source: syncClaim
/// of the resource claim controller, and the garbage collector. Refers to the cluster.
class ReleasedClaims {
 public:
  ReleasedClaims() = default;
  ReleasedClaims(const Cluster& cluster, const EndedPods& ended);

  [[nodiscard]] bool empty() const { return deleted_.empty() && deallocated_.empty(); }
  [[nodiscard]] bool is_deleted(const ResourceClaim& claim) const {
    return deleted_.contains(&claim);
  }
  [[nodiscard]] bool contains(const ResourceClaim& claim) const {
    return is_deleted(claim) || deallocated_.contains(&claim);
  }

 private:
  std::unordered_set<const ResourceClaim*> deleted_;
  std::unordered_set<const ResourceClaim*> deallocated_;
};

}  // namespace gpu::scheduler
