#pragma once

#include <optional>
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

/// The owner of a kind that is not in the table, at the top of pods in `ns` (empty: anywhere), by
/// its kind as people type it ("nimservice") and its name.
std::optional<Owner> owner_of_other_kind(std::string_view kind, std::string_view ns,
                                         std::string_view name, const Snapshot& snapshot);

/// Whether any pod has an owner of that kind at its top.
bool is_owned_by_kind(std::string_view kind, const Snapshot& snapshot);

/// Answers for such an owner.
std::vector<Explanation> explain_other_owner(const scheduler::Cluster& cluster, const Owner& owner,
                                             const std::string& ns, const ExplainOptions& options);

/// The nearest word for a kind that has pods: "deployment" for "deply"; empty for none.
std::string nearest_kind(std::string_view word);

/// "job/train -n ml": objects that create pods and have that name, in `ns` unless it is empty.
std::vector<std::string> owners_named(std::string_view ns, std::string_view name,
                                      const Snapshot& snapshot);

}  // namespace gpu::diagnose
