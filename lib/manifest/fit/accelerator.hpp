#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "manifest/fit/request.hpp"

namespace gpu::manifest {

/// What each pod asks for, and which nodes have it.
struct Accelerator {
  std::string resource;                ///< "nvidia.com/gpu"; empty: the pods ask for none
  std::int64_t units = 0;              ///< of each pod
  std::vector<const GpuNodes*> nodes;  ///< groups that serve it; empty: none is known
  /// Whether other nodes advertise the same resource for something else: shared cards, slices.
  bool has_lookalikes = false;
};

/// A slice by the name that `top` has for it: --gpu-model A100-1g.10gb is --gpu-model A100 with
/// --mig 1g.10gb, and --gpus 1 is such a slice. Throws Error{usage} for several slices in a pod,
/// and for slices of two profiles.
void take_slice_of_model(GenOptions& options);

/// Chooses the resource by what was asked for and what the cluster has. Throws Error{usage} for a
/// model, profile or number that cannot be had.
Accelerator accelerator_of(GenRequest& request);

/// What slices of the profile are advertised as, where others are beside them: "1g.10gb+me" is
/// nvidia.com/mig-1g.10gb.me.
std::string mig_resource(std::string profile);

/// Whether the nodes have a card that a person calls `name`: "H100", "h100-80gb", a label's value.
bool is_model(const GpuNodes& nodes, std::string_view name);

/// Values of nvidia.com/gpu.product of cards that a person calls `name`, by our own table. Throws
/// Error{usage} for a name that it does not have.
std::vector<std::string> product_labels_of(std::string_view name);

}  // namespace gpu::manifest
