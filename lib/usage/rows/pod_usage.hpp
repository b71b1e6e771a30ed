#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "model/snapshot/workload.hpp"
#include "usage/devices/use.hpp"
#include "usage/rows/inventory.hpp"

namespace gpu::usage {

/// One row of `top pods`: what a pod holds of one pool, by its own requests or by one claim; or a
/// claim that no pod uses. Points into the Inventory and its snapshot.
struct PodUsage {
  const Pool* pool = nullptr;
  const Holding* holding = nullptr;
  const Pod* pod = nullptr;  ///< null: a claim without pods
  /// Of the units that are held. For a shared device, only the values of this pod alone.
  Use use;
  Use held_use;                     ///< the same by all pods of the holding together
  bool is_of_whole_device = false;  ///< the device is shared, and only its own use is known
};

/// Pods that use the same units together: 1 for a pod's own requests, 0 for a claim without pods.
std::int64_t shared_by(const PodUsage& row);

/// "llama-pretrain-0"; "claim/NAME" for a claim without pods.
std::string name_of(const PodUsage& row);

/// "0.5 of 1 GPU", "8000Mi of 1 GPU": what the pod requested of GPUs that it shares under KAI or
/// Run:ai; empty for any other.
std::string part_text(const PodUsage& row);

/// Every holding as one row for each of its pods, in the order of `inventory.holdings`.
std::vector<PodUsage> pod_usage(const Inventory& inventory);

/// The UIDs of pods that hold GPUs and use all of them below 5 % now, as far as telemetry reports.
std::set<std::string> idle_pods(const Inventory& inventory);

/// The units of `rows`, each holding counted once.
std::int64_t units_of(const std::vector<PodUsage>& rows);

/// Rows of one owner with the same units of the same resource and model: one row for people.
struct PodGroup {
  std::vector<PodUsage> rows;  ///< never empty; all of one namespace
  Owner owner;                 ///< empty for a claim without pods
  std::int64_t units = 0;      ///< each holding counted once
  Use use;                     ///< of all of them
};

/// The pods of a group, each once.
std::int64_t pods_in(const PodGroup& group);
/// The nodes of a group, each once, by name.
std::vector<std::string> nodes_of(const PodGroup& group);
/// When the oldest pod was created; unknown if it is unknown for any pod.
std::optional<Time> oldest(const PodGroup& group);

/// What a row contains: one pod, or all similar pods of one owner.
enum class Folding { none, owner };

/// `rows` as groups, most units first, cards before slices, ties by namespace, node and name.
std::vector<PodGroup> pod_groups(const std::vector<PodUsage>& rows, const Snapshot& snapshot,
                                 Folding folding);

}  // namespace gpu::usage
