#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "manifest/fit/request.hpp"
#include "manifest/tree/tree.hpp"

namespace gpu::manifest {

/// Where torchrun's ranks meet.
inline constexpr int kRendezvousPort = 29500;

/// The image of a --script for which none is given.
inline constexpr std::string_view kPyTorchImage = "pytorch/pytorch:2.13.0-cuda13.0-cudnn9-runtime";

/// The processes of a job.
struct Ranks {
  std::int64_t nodes = 1;
  std::int64_t processes = 1;  ///< on each node: one for each GPU
  std::string master;          ///< the host of rank 0, where there are several nodes
};

/// What the container runs. A script, or a command that is one (`-- train.py --epochs 3`), runs
/// under torchrun where there is more than one process. Throws Error{usage} where several nodes
/// have nothing that could start the ranks.
std::vector<std::string> training_command(const GenRequest& request, const Ranks& ranks);

/// What a training process is told by its environment.
Tree training_env(const GenRequest& request, const Ranks& ranks);

/// Refuses a name whose pods, NAME-INDEX, would not be DNS labels.
void check_rank_name(const std::string& name, std::int64_t nodes);

}  // namespace gpu::manifest
