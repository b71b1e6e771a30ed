#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/devices/supply.hpp"

namespace gpu::scheduler {

/// Extended resources of a pod that DRA provides on nodes which have none of them (KEP-5004).
/// Refers to the cluster and the pod.
class ExtendedResources {
 public:
  ExtendedResources(const Cluster& cluster, const Pod& pod);

  /// Whether a DeviceClass serves any resource that the pod requests.
  [[nodiscard]] bool are_mapped() const { return are_mapped_; }
  /// The claim that an earlier attempt created for the pod; null if there is none.
  [[nodiscard]] const ResourceClaim* made_claim() const { return made_claim_; }

  /// What a node leaves to DRA.
  struct OnNode {
    bool can_fit = true;  ///< false: neither the node nor a class has one of the resources
    std::vector<std::string> resources;
  };
  [[nodiscard]] OnNode on(const Node& node) const;
  /// The claim that the scheduler creates for `resources`.
  [[nodiscard]] ResourceClaim claim_for(const std::vector<std::string>& resources) const;

 private:
  const Pod& pod_;
  const DeviceSupply& supply_;
  std::vector<std::string> asked_;  ///< sorted
  bool are_mapped_ = false;
  const ResourceClaim* made_claim_ = nullptr;
};

}  // namespace gpu::scheduler
