#pragma once

#include "manifest/fit/accelerator.hpp"
#include "manifest/fit/request.hpp"
#include "manifest/tree/tree.hpp"

namespace gpu::manifest {

/// Where pods may run.
struct PlacementFields {
  Tree node_selector;
  Tree affinity;
  Tree tolerations = Tree::list();
};

/// By the labels and taints that the chosen nodes really have; what is left to decide is noted.
PlacementFields placement_of(GenRequest& request, const Accelerator& accelerator);

}  // namespace gpu::manifest
