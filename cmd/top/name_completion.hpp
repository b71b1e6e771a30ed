#pragma once

#include "cmd/shell/candidates.hpp"
#include "cmd/top/top_flags.hpp"

namespace gpu::cmd {

// Names of what the cluster has, for Tab: none where it does not answer soon.

/// The cluster's GPU nodes.
Candidates node_names(const TopFlags& flags, const Env& env);

/// GPU nodes, and behind NODE/ its devices: live use tells which there are.
Candidates device_names(const TopFlags& flags, const Typing& typing);

/// Pods that hold GPUs as NAMESPACE/POD, of one namespace as POD.
Candidates holder_names(const TopFlags& flags, const Env& env);

/// Their namespaces.
Candidates holding_namespaces(const TopFlags& flags, const Env& env);

/// The models of the cluster's GPUs.
Candidates model_names(const TopFlags& flags, const Env& env);

}  // namespace gpu::cmd
