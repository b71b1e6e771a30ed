#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/environment.hpp"
#include "kube/config/connection.hpp"
#include "kube/read/collect_context.hpp"
#include "model/gpu/sample.hpp"

namespace gpu::telemetry {

/// A pod in which nvidia-smi can be run, for its whole node.
struct SmiPod {
  std::string ns;
  std::string pod;
  std::string container;
  std::string node;
  std::string command = "nvidia-smi";  ///< a path on GKE
};

/// What came of nvidia-smi on one node.
struct SmiAnswer {
  SmiPod pod;                   ///< the one that answered, otherwise the last that was tried
  std::vector<Sample> samples;  ///< empty: it failed
  std::string why;              ///< it failed
};

/// Runs kubectl's `exec` in one pod of each node, several at a time, 10 s each and a minute in all;
/// if that fails, in the node's next pod. Passes `flags` on as typed, except for their namespace.
/// Throws Error{config} if there is no kubectl in PATH, and if `flags` contain a token or a
/// password: other users can read the command line of a program.
std::vector<SmiAnswer> run_nvidia_smi(const std::vector<SmiPod>& pods,
                                      const kube::ConnectionFlags& flags,
                                      const Environment& environment);

/// kubectl's arguments for one pod.
std::vector<std::string> exec_arguments(const SmiPod& pod, const kube::ConnectionFlags& flags);

/// Runs `kubectl exec NS/POD -c CONTAINER -- nvidia-smi -q -x` (--allow-exec), 10 s each, for one
/// pod of each node, and reads the XML into samples. Adds a gap that says which pods were used and
/// which failed. Returns the nodes that have samples.
std::set<std::string, std::less<>> read_smi_by_exec(kube::CollectContext& reading,
                                                    const std::vector<SmiPod>& pods);

}  // namespace gpu::telemetry
