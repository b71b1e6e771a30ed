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

/// Who tells the ranks where they meet: we, or a controller that sets PET_* and MASTER_ADDR.
enum class Rendezvous { ours, of_controller };

/// The processes of a job.
struct Ranks {
  std::int64_t nodes = 1;
  std::int64_t processes = 1;  ///< on each node: one for each GPU
  std::string master;          ///< the host of rank 0, where there are several nodes
  Rendezvous rendezvous = Rendezvous::ours;
};

/// What the container runs. A script, or a command that is one (`-- train.py --epochs 3`), runs
/// under torchrun where there is more than one process. Throws Error{usage} where several nodes
/// have nothing that could start the ranks.
std::vector<std::string> training_command(const GenRequest& request, const Ranks& ranks);

/// What a training process is told by its environment.
Tree training_env(const GenRequest& request, const Ranks& ranks);

/// What of it concerns NCCL: nothing on one node.
Tree nccl_env(std::int64_t nodes);

/// Pods that train together: one without --nodes.
std::int64_t nodes_of(const GenOptions& options);

/// Processes of each: one for each GPU, and one without.
std::int64_t processes_of(const GenOptions& options);

/// What keeps cluster autoscalers from moving a pod that trains: annotations of the pod.
Tree stay_annotations();

/// Refuses a name whose pods, NAME-INDEX, would not be DNS labels.
void check_rank_name(const std::string& name, std::int64_t nodes);

}  // namespace gpu::manifest
