#pragma once

#include <string>

#include "diagnose/answer/explain_options.hpp"
#include "diagnose/answer/explanation.hpp"
#include "diagnose/explain/known_namespaces.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// A pod, as it is asked about.
struct PodQuestion {
  std::string ns;  ///< empty: the only one that has it
  std::string name;
  Origin origin = Origin::cluster;
  std::string like_kind = {};  ///< the kind that `ns` may be a slip of: "deployment"
  bool may_be_kind = false;    ///< `ns` was typed before a slash, as kinds are
};

/// Why the pod of that name does not run. Throws Error for one that does not exist, with the
/// nearest names and the namespaces that have one, for one that several namespaces have, and where
/// pods could not be read.
Explanation explain_named_pod(const scheduler::Cluster& cluster, const PodQuestion& question,
                              const ExplainOptions& options);

}  // namespace gpu::diagnose
