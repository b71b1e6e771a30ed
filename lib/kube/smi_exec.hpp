#pragma once

#include <set>
#include <string>
#include <vector>

#include "kube/reading.hpp"

namespace gpu::kube {

/// A pod in which nvidia-smi can be run, for its whole node.
struct SmiPod {
  std::string ns;
  std::string pod;
  std::string container;
  std::string node;
  std::string command = "nvidia-smi";  ///< a path on GKE
};

/// Runs `kubectl exec NS/POD -c CONTAINER -- nvidia-smi -q -x` (--allow-exec), 10 s each, for one
/// pod of each node, and reads the XML into samples. Says in a gap which pods were used and which
/// failed. Returns the nodes that are told of.
std::set<std::string, std::less<>> read_smi_by_exec(Reading& reading,
                                                    const std::vector<SmiPod>& pods);

}  // namespace gpu::kube
