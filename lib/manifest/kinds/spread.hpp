#pragma once

#include "manifest/tree/tree.hpp"

namespace gpu::manifest {

/// Lets no two of the pods with these labels run on one node: ranks that share one would share its
/// network, too. Changes the affinity of the pod's spec.
void keep_apart(Tree& pod_spec, Tree labels);

}  // namespace gpu::manifest
