#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/dra/dra_pool.hpp"
#include "scheduler/cel/selector.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "scheduler/devices/release.hpp"

namespace gpu::scheduler {

/// A driver's pool of devices as the scheduler sees it from one node.
struct NodePool {
  std::string_view driver;
  std::string_view name;
  bool is_incomplete = false;                ///< slices are missing
  bool is_invalid = false;                   ///< a device is listed twice, counters are missing
  std::string_view duplicate;                ///< the name of a device that is listed twice
  bool can_be_used = true;                   ///< devices can be allocated
  std::vector<const ResourceSlice*> slices;  ///< that reach the node, by name
  /// What allocated devices leave of the counters; null where the pool has none.
  std::shared_ptr<const DraCounters> counters;
};

/// The devices of a cluster: which pools publish them, and which claims hold them. Refers to the
/// cluster.
class DeviceSupply {
 public:
  explicit DeviceSupply(const Cluster& cluster);
  /// Without what `released` gives back.
  DeviceSupply(const Cluster& cluster, const ReleasedClaims& released);

  /// The pools that reach a node, in the order in which the scheduler tries them. Source:
  /// GatherPools of k8s.io/dynamic-resource-allocation/structured 1.36.
  [[nodiscard]] const std::vector<NodePool>& pools_of(std::size_t node) const;
  /// Whether a claim has the whole device.
  [[nodiscard]] bool is_taken(const DeviceId& device) const { return taken_.contains(device); }
  /// What claims have allocated of a device that allows several claims; null if none has.
  [[nodiscard]] const ResourceList* shares_of(const DeviceId& device) const;
  /// The DeviceClass that serves an extended resource; null if there is none.
  [[nodiscard]] const DeviceClass* class_for(std::string_view resource) const;
  /// Whether an earlier search for devices of the claim gave up. Later searches then give up
  /// sooner, because a search that takes too long on one node does so on others, and in the next
  /// trial.
  [[nodiscard]] bool is_hard(const ResourceClaim& claim) const {
    return hard_.contains({claim.ns, claim.name});
  }
  void found_hard(const ResourceClaim& claim) const { hard_.insert({claim.ns, claim.name}); }
  /// The effort of all searches so far beyond what each pod may use. Once it is spent, all searches
  /// give up.
  [[nodiscard]] std::int64_t& search_effort() const { return search_effort_; }
  /// The remark about a node whose search gave up. Only a few nodes are named.
  [[nodiscard]] std::string given_up(const std::string& node) const;
  /// The parsed selector of an expression; each is parsed once.
  [[nodiscard]] const CelSelector& selector(const std::string& expression) const;
  /// What selectors took until now.
  [[nodiscard]] CelEffort& effort() const { return effort_; }

 private:
  using PoolKey = std::pair<std::string_view, std::string_view>;
  using Slices = std::vector<const ResourceSlice*>;

  void add(const ResourceSlice& slice);
  void add(const ResourceClaim& claim);
  void map(const DeviceClass& device_class);
  [[nodiscard]] std::vector<NodePool> gather(const Node& node) const;
  [[nodiscard]] std::optional<NodePool> pool_of(const PoolKey& key, Slices reaching) const;

  const Cluster& cluster_;
  bool has_new_features_;  ///< 1.36: counters, shares, taints, binding conditions
  std::unordered_map<std::string_view, Slices> on_node_;
  Slices elsewhere_;  ///< reached by their own selectors
  std::map<PoolKey, Slices> by_pool_;
  std::set<DeviceId> taken_;
  std::map<DeviceId, ResourceList> shares_;
  std::map<std::string, const DeviceClass*, std::less<>> classes_;
  mutable std::unordered_map<std::size_t, std::vector<NodePool>> pools_;
  mutable std::unordered_map<std::string, CelSelector> selectors_;
  mutable CelEffort effort_;
  mutable std::int64_t search_effort_ = 0;
  mutable std::set<std::string> given_up_;                      ///< nodes by name
  mutable std::set<std::pair<std::string, std::string>> hard_;  ///< namespaces and names
};

/// Whether a slice or a device with these fields reaches a node.
bool reaches(const Node& node, std::string_view node_name, bool all_nodes,
             const NodeSelector& selector);

/// Whether 1.36's features are on: counters, shares, taints and binding conditions of devices.
bool has_new_device_features(const Rules& rules);

}  // namespace gpu::scheduler
