#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/quantity.hpp"
#include "manifest/fit/accelerator.hpp"
#include "manifest/fit/request.hpp"
#include "manifest/tree/tree.hpp"

namespace gpu::manifest {

/// What runs in a pod, as far as it decides how much beside GPUs it needs.
enum class Workload { training, notebook, inference, ray, check };

/// What each pod asks for beside GPUs.
struct Sizes {
  Quantity cpu;
  Quantity memory;              ///< bytes; `shm` is part of it
  std::optional<Quantity> shm;  ///< bytes of /dev/shm; nothing: the runtime's 64 MiB do
  Why why;
};

/// A share of the node by GPUs, where the nodes are known; else by usual figures. Throws
/// Error{usage} where shm is to be more than memory.
Sizes sizes_of(const GenRequest& request, const Accelerator& accelerator, Workload workload);

/// "8", "500m", "64Gi".
std::string cpu_text(Quantity cpu);
std::string bytes_text(Quantity bytes);

}  // namespace gpu::manifest
