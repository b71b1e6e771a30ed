#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manifest/fit/accelerator.hpp"
#include "manifest/fit/request.hpp"
#include "manifest/tree/tree.hpp"

namespace gpu::manifest {

/// So many slices of a MIG profile; nothing: the count was not given.
struct SliceCount {
  std::string profile;  ///< "1g.10gb", "1g.10gb+me"
  std::optional<std::int64_t> count;
};

/// Of --mig: "1g.10gb=4,3g.40gb". Throws Error{usage} for what is none, and for a profile twice.
std::vector<SliceCount> slice_counts(std::string_view text);

/// An amount of a resource that pods ask for.
struct GpuAmount {
  std::string resource;  ///< "nvidia.com/gpu"
  std::int64_t units = 0;
};

/// What --gpus, --shared and --mig name for a limit. Throws Error{usage} where nothing is named, or
/// a profile has no count.
std::vector<GpuAmount> amounts_of(GenRequest& request);

/// The resource and nodes of what was asked for, whatever the number: a limit or a queue is for
/// several pods, so that --gpus may be more than any node has.
Accelerator accelerator_of_any(GenRequest& request, const std::string& mig);

/// {name, labels, annotations} of an object that is in no namespace.
Tree cluster_metadata_of(const GenRequest& request, std::string_view name);

/// {name, namespace, ...} of a configuration of the GPU Operator, which reads it in its own
/// namespace: gpu-operator without --namespace.
Tree operator_metadata_of(const GenRequest& request);

}  // namespace gpu::manifest
