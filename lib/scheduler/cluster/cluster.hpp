#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/snapshot/snapshot.hpp"
#include "scheduler/cluster/scheduler_version.hpp"

namespace gpu::scheduler {

struct Rules;

/// The number of a resource, so that names are compared only once. See Cluster::resource().
using ResourceId = std::uint32_t;

/// Amounts as the scheduler compares them: cpu in thousandths, all else in whole units.
struct Amount {
  ResourceId resource = 0;
  std::int64_t value = 0;
};

/// A pod that is bound to a node, and what it requests there.
struct BoundPod {
  const Pod* pod = nullptr;
  std::vector<Amount> requests;  ///< effective, without zeros
  std::int32_t priority = 0;
};

/// A node and the pods on it: what NodeInfo is in the scheduler. The amounts are stored in Cluster.
struct NodeState {
  const Node* node = nullptr;
  std::span<const std::int64_t> allocatable;  ///< by ResourceId
  std::span<const std::int64_t> requested;    ///< by ResourceId
  std::int64_t allowed_pods = 0;
  std::vector<BoundPod> pods;  ///< not finished; terminating ones count
  /// Pods that wait with status.nominatedNodeName of this node.
  std::vector<BoundPod> nominated;
};

/// A snapshot, indexed so that many pods can be judged. Refers to the snapshot, which must keep all
/// live pods.
class Cluster {
 public:
  explicit Cluster(const Snapshot& snapshot);
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;
  ~Cluster();

  [[nodiscard]] const Snapshot& snapshot() const { return snapshot_; }
  /// The version of the scheduler whose rules are used, as far as it is known.
  [[nodiscard]] const SchedulerVersion& version() const { return version_; }
  [[nodiscard]] const Rules& rules() const { return *rules_; }
  /// In the order of the snapshot: by name.
  [[nodiscard]] std::span<const NodeState> nodes() const { return nodes_; }
  [[nodiscard]] std::optional<std::size_t> node_named(std::string_view name) const;

  /// The number of a resource that some node or pod names; nothing for one that none does.
  [[nodiscard]] std::optional<ResourceId> resource(std::string_view name) const;
  [[nodiscard]] std::string_view name_of(ResourceId resource) const { return resources_[resource]; }
  [[nodiscard]] std::size_t resource_count() const { return resources_.size(); }

  /// Counts a pod that is not in the snapshot on the node that spec.nodeName names; refers to the
  /// pod. Drops what filters have prepared, as shared() says. Ignores resources that no node and no
  /// pod of the snapshot names.
  void bind(const Pod& pod);
  /// Removes a pod from its node, whether it comes from the snapshot or from bind().
  void unbind(const Pod& pod);

  // Objects by name; null if there is none.
  [[nodiscard]] const StringMap* namespace_labels(std::string_view ns) const;
  [[nodiscard]] const PersistentVolumeClaim* volume_claim(std::string_view ns,
                                                          std::string_view name) const;
  [[nodiscard]] const PersistentVolume* volume(std::string_view name) const;
  [[nodiscard]] const StorageClass* storage_class(std::string_view name) const;
  [[nodiscard]] const CsiNode* csi_node(std::string_view name) const;
  [[nodiscard]] const ResourceClaim* claim(std::string_view ns, std::string_view name) const;
  [[nodiscard]] const DeviceClass* device_class(std::string_view name) const;

  /// What a filter prepares once for all pods (DRA's devices, volumes in use). It is created on the
  /// first call, by the filter that owns the type. It is created again after bind() or unbind() of
  /// a pod that matters to it: any pod, unless the type has a `static bool counts(const Pod&)` that
  /// returns false for the pod.
  template <class Shared>
  const Shared& shared() const {
    SharedSlot& slot = shared_[&typeid_of<Shared>];
    if (!slot.made) {
      slot.made = std::make_shared<const Shared>(*this);
      if constexpr (requires(const Pod& pod) { Shared::counts(pod); }) slot.counts = Shared::counts;
    }
    return *static_cast<const Shared*>(slot.made.get());
  }

 private:
  template <class Shared>
  static constexpr char typeid_of = 0;

  struct SharedSlot {
    std::shared_ptr<const void> made;
    bool (*counts)(const Pod&) = nullptr;  ///< null: every pod
  };
  /// Drops each shared value to which this pod matters.
  void forget_shared(const Pod& pod);

  void add_node(const Node& node);
  void add_pod(const Pod& pod);
  void sum_up();
  void count(std::size_t node, const BoundPod& pod, std::int64_t sign);
  [[nodiscard]] BoundPod bound(const Pod& pod);
  ResourceId number(std::string_view name);

  const Snapshot& snapshot_;
  SchedulerVersion version_;
  std::unique_ptr<const Rules> rules_;
  std::vector<NodeState> nodes_;
  std::vector<std::int64_t> amounts_;  ///< of each node: allocatable, then requested
  std::vector<std::string> resources_;
  std::map<std::string, ResourceId, std::less<>> numbers_;
  std::unordered_map<std::string_view, std::size_t> by_name_;
  mutable std::unordered_map<const void*, SharedSlot> shared_;
};

}  // namespace gpu::scheduler
