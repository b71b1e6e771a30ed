#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <tuple>

#include "admission/kueue/quota_tree.hpp"
#include "model/objects/queue.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::quota {

/// How much of a ClusterQueue's own quota other queues of its cohorts have now. Kueue keeps no
/// account of who lends to whom: the amount is known where all that is borrowed in the tree can
/// only, or cannot, be the queue's.
class LentQuota {
 public:
  explicit LentQuota(const scheduler::Cluster& cluster);

  /// Nothing where any of several queues may be the lender, or where use is not known.
  [[nodiscard]] std::optional<Quantity> of(const ClusterQueue& queue,
                                           const FlavorQuota& quota) const;

 private:
  /// One flavor's quota of one resource, in one tree of cohorts.
  struct Tree {
    Quantity borrowed;
    Quantity own;       ///< of the Cohorts themselves
    Quantity lendable;  ///< that queues do not use
    bool is_known = true;
  };
  using Key = std::tuple<std::string_view, std::string_view, std::string_view>;

  const admission::CohortTree& cohorts_;
  std::map<Key, Tree> trees_;  ///< by root, flavor and resource
};

}  // namespace gpu::quota
