#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/objects/pod.hpp"
#include "model/snapshot/workload.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// How a change of a pod is applied: through its owner, since most of a pod's spec cannot be
/// changed once it exists.
struct OwnerPatch {
  std::string target;      ///< "deployment/infer": what is changed
  std::string command;     ///< may have several lines; empty if the owner's kind is not known
  std::string patch;       ///< YAML, for people with comments; empty if the command is enough
  std::string patch_file;  ///< its name in the command: "infer-patch.yaml"
  std::vector<std::string> stops;
  std::string note;  ///< "a Job's template cannot be changed: ..."
};

/// The patch that changes `before` into `after`: tolerations (repeated whole, since a patch
/// replaces the list), nodeSelector, required node affinity, spread rules, and resources of
/// containers. `owner` is top_owner(before). With a full quota (full_quota(); empty: none) a
/// Deployment can start no new pod before an old one has ended.
OwnerPatch owner_patch(const Owner& owner, const Pod& before, const Pod& after,
                       std::string_view quota);

/// Adds a number to the name of a patch file, "train-patch-2.yaml", also in the command. A file
/// that owner_patch() did not name keeps its name.
void number_patch_file(std::string& file, std::string& command, std::size_t number);

/// The other pods on nodes that such a patch ends, and mostly starts again: those of a Deployment,
/// StatefulSet, DaemonSet or Job.
std::vector<const Pod*> restarted_pods(const scheduler::Cluster& cluster, const Owner& owner,
                                       const Pod& pod);

}  // namespace gpu::diagnose
