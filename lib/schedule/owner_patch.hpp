#pragma once

#include <string>

#include "model/pod.hpp"
#include "model/workload.hpp"

namespace gpu::schedule {

/// How a changed pod gets into the cluster: through its owner, since most of a pod's spec cannot be
/// changed once it exists.
struct OwnerPatch {
  std::string command;     ///< "kubectl patch deployment infer -n serving --patch-file ..."
  std::string patch;       ///< YAML; empty where the command says it all
  std::string patch_file;  ///< its name in the command
  std::vector<std::string> stops;
  std::string note;  ///< "a Job's template cannot be changed: delete it and create it again"
};

/// From `before` to `after`: tolerations (repeated whole, a strategic patch replaces the list),
/// nodeSelector, requests and limits of containers.
OwnerPatch owner_patch(const Owner& owner, const Pod& before, const Pod& after);

}  // namespace gpu::schedule
