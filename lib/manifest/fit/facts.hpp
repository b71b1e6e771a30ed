#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/quantity.hpp"
#include "model/gpu/gpu_labels.hpp"
#include "model/gpu/gpu_resource.hpp"
#include "model/objects/node.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu::manifest {

/// A taint, and on how many nodes of a group it is.
struct SeenTaint {
  Taint taint;
  std::int64_t nodes = 0;
};

/// GPU nodes with the same card and the same resource name.
struct GpuNodes {
  std::string model;     ///< "H100-80G"; empty: no label says it
  std::string product;   ///< the label's value: "NVIDIA-H100-80GB-HBM3"
  std::string label;     ///< its key: "nvidia.com/gpu.product"; empty: there is none
  std::string resource;  ///< "nvidia.com/gpu"
  GpuResource kind;
  Sharing sharing;
  std::string single_mig_profile;  ///< "1g.10gb" where a unit is such a slice
  std::int64_t nodes = 0;
  std::int64_t largest = 0;       ///< units of the node with the most
  Quantity cpu;                   ///< allocatable on the smallest of the nodes with that many
  Quantity memory;                ///< bytes
  std::int64_t units = 0;         ///< of all the nodes
  Quantity all_cpu;               ///< allocatable on all of them
  Quantity all_memory;            ///< bytes
  std::vector<SeenTaint> taints;  ///< those that keep pods away, and say nothing of a node's health
};

/// What a manifest is fitted to. Without a cluster nothing is known, and manifests are portable.
struct ClusterFacts {
  std::string ns;  ///< where the objects would go; empty: not known
  bool is_known = false;
  bool is_to_come = false;          ///< a cluster is asked next, and this is a first draft
  std::vector<GpuNodes> gpu_nodes;  ///< most units first
  /// Kinds that the API serves, as "Job.batch/v1"; nothing: that could not be read.
  std::optional<std::vector<std::string>> served;
  std::optional<std::vector<std::string>> queues;  ///< LocalQueues of the namespace
  std::optional<std::vector<std::string>> storage_classes;
  std::optional<std::vector<std::string>> device_classes;
  std::optional<std::vector<std::string>> priority_classes;
  std::optional<std::vector<std::string>> runtime_classes;
  std::optional<std::vector<std::string>> claims;   ///< PersistentVolumeClaims of the namespace
  std::optional<std::vector<std::string>> secrets;  ///< of the namespace
  /// Whether Kueue takes care of what is queued in the namespace.
  std::optional<bool> is_managed_by_kueue;
  /// The label of nodes that a cloud may take back, where there are such nodes.
  std::optional<std::pair<std::string, std::string>> spot_label;
};

/// What is known of the cluster of `snapshot` for objects in the namespace `ns`.
ClusterFacts facts_of(const Snapshot& snapshot, std::string_view ns);

/// Whether the API serves the kind, in any version; nothing: that is not known.
std::optional<bool> serves(const ClusterFacts& facts, std::string_view kind,
                           std::string_view group);

}  // namespace gpu::manifest
