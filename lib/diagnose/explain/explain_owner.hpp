#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diagnose/answer/explain_options.hpp"
#include "diagnose/answer/explanation.hpp"
#include "model/snapshot/workload.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// An object that creates pods, as it is asked about.
struct OwnerQuestion {
  const WorkloadKind& kind;
  std::string ns;  ///< empty: the only one that has it
  std::string name;
};

/// Answers for an object that creates pods: what it says itself, each reason for which pods of it
/// wait, and the others once. Throws Error{usage} with the nearest names for one of which nothing
/// is known, and for one that several namespaces have.
std::vector<Explanation> explain_owner(const scheduler::Cluster& cluster,
                                       const OwnerQuestion& question,
                                       const ExplainOptions& options);

/// "job/train -n ml": objects that create pods and have that name, in `ns` unless it is empty.
std::vector<std::string> owners_named(std::string_view ns, std::string_view name,
                                      const Snapshot& snapshot);

}  // namespace gpu::diagnose
