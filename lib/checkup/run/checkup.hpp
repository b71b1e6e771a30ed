#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "checkup/checks/check_result.hpp"
#include "checkup/checks/surroundings.hpp"
#include "model/objects/object_kind.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu::checkup {

/// What the outside knows of a check.
struct CheckInfo {
  std::string_view name;  ///< as typed: "device-plugin"
  std::string_view says;  ///< what it looks at, for Tab and help
};

/// What has to be read for some checks.
struct CheckNeeds {
  bool needs_cluster = false;              ///< otherwise nothing of it is looked at
  ObjectKinds kinds;                       ///< beside nodes, pods and DRA's objects
  std::vector<std::string> event_reasons;  ///< of events, those for these alone
  std::vector<std::string> pod_selectors;  ///< of pods that are read wherever they run
};

/// All checks, in the order in which one depends on another.
std::vector<CheckInfo> checks();

/// Of the checks in `names` and of those that they need; of all where there are no names.
CheckNeeds needs_of(std::span<const std::string> names);

/// Whether a pod has to be kept in the Snapshot for the checks: those that hold or wait for GPUs,
/// those of the GPU stack, and those that see GPUs without a request.
bool is_of_interest(const Pod& pod);

/// Whether something tells of GPUs on a node that neither has a GPU resource nor a label of GPUs: a
/// taint with the name of a GPU resource, or a card that node feature discovery saw. Pods of such a
/// node have to be read, too.
bool may_have_gpus(const Node& node);

/// What checks say of a cluster.
struct CheckUp {
  CheckResults results;
  std::int64_t gpu_nodes = 0;  ///< nodes with GPUs, and those that something promises GPUs of
};

/// What the checks in `names` say of the cluster, in the order of checks(); all where there are no
/// names. Where one fails, those that need it are skipped, or say nothing of the nodes on which
/// it failed; those that they need and that were not
/// asked for are run, and say nothing themselves. The snapshot has to keep the pods of
/// is_of_interest().
CheckUp check_up(const Snapshot& snapshot, const Surroundings& surroundings,
                 std::span<const std::string> names);

}  // namespace gpu::checkup
