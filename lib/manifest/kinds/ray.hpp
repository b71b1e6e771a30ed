#pragma once

#include <string>
#include <vector>

#include "manifest/fit/request.hpp"
#include "manifest/tree/tree.hpp"

namespace gpu::manifest {

/// A Ray cluster that KubeRay creates: a head without GPUs, and --nodes workers with --gpus each.
struct RayShape {
  Tree head_ports = Tree::list();  ///< beside those of every head
  Tree env = Tree::list();         ///< of head and workers
};

/// The spec of a RayCluster. Notes what is not known of its version. Throws Error{usage}.
Tree ray_cluster_spec(GenRequest& request, const RayShape& shape);

/// One line that sh reads as these words.
std::string shell_line(const std::vector<std::string>& words);

}  // namespace gpu::manifest
