#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// The extended resources that a cluster has, by nodes and by DeviceClasses; gathered once for all
/// pods: Cluster::shared().
class ResourceNames {
 public:
  explicit ResourceNames(const scheduler::Cluster& cluster);
  /// Whether a node has some of it, or a DeviceClass serves it.
  [[nodiscard]] bool is_offered(std::string_view resource) const;
  /// Whether it looks like a typo of one of the names: no node lists it, a similar name exists, and
  /// it is not a well-known name of GPUs, which may be missing because of the GPU stack.
  [[nodiscard]] bool is_misspelt(std::string_view resource) const;
  /// The name that is most similar to one that is not offered; empty if none is similar.
  [[nodiscard]] const std::string& nearest(std::string_view resource) const;

 private:
  std::set<std::string, std::less<>> names_;     ///< of nodes, and what classes say they serve
  std::set<std::string, std::less<>> known_;     ///< of nodes, even where they have none now
  std::set<std::string, std::less<>> by_class_;  ///< that every class serves by its own name
  mutable std::map<std::string, std::string, std::less<>> nearest_;
};

}  // namespace gpu::diagnose
