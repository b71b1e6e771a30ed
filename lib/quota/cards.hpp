#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/objects/queue.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "usage/rows/inventory.hpp"

namespace gpu::quota {

/// Units of one resource that nodes have.
struct Existing {
  std::int64_t units = 0;
  std::map<std::string, std::int64_t> models;  ///< of `units`; a model that is not known is ""
  std::string unit;                            ///< "gpu", "mig"; "mixed"; empty where there is none
  bool is_whole = true;  ///< false: of some node it is not known how many there are
};

/// The GPUs that exist, by resource and by Kueue's flavors. Refers to all that it is made from.
class Cards {
 public:
  Cards(const scheduler::Cluster& cluster, const usage::Inventory& inventory);

  /// Whether all nodes were read.
  [[nodiscard]] bool is_known() const;
  [[nodiscard]] Existing of(std::string_view resource) const;
  /// On the nodes that have the labels of a flavor.
  [[nodiscard]] Existing of(std::string_view resource, const ResourceFlavor& flavor) const;
  [[nodiscard]] bool has_nodes(const ResourceFlavor& flavor) const;
  /// Whether a node has such a resource, or a DeviceClass serves it.
  [[nodiscard]] bool is_offered(std::string_view resource) const;
  /// The name of GPUs that nodes do have and that is near to this one; empty: none is.
  [[nodiscard]] std::string nearest(std::string_view resource) const;
  /// Whether a DeviceClass is one of GPUs, by its name or by the drivers that its selectors name.
  [[nodiscard]] bool is_of_gpus(std::string_view device_class) const;

 private:
  const scheduler::Cluster& cluster_;
  const usage::Inventory& inventory_;
  std::map<std::string_view, const Node*> nodes_;
  std::set<std::string_view> drivers_;  ///< of ResourceSlices
};

/// Null where it was not read, or does not exist.
const ResourceFlavor* flavor_named(const SchedulingFacts& facts, std::string_view name);

/// Whether a resource counts GPUs or parts of them.
bool counts_gpus(std::string_view resource);

}  // namespace gpu::quota
