#pragma once

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "diagnose/answer/explain_options.hpp"
#include "diagnose/answer/explanation.hpp"
#include "model/snapshot/snapshot.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::plan {

/// Makes the claims that the resourceclaim controller would make from the templates that `pod`
/// names, in `snapshot`, and lets the pod know of them. A template that is not there makes none.
void make_claims(Pod& pod, Snapshot& snapshot);

/// The answer for a pod that is not made yet and names a template for claims that does not exist,
/// or was not read. Nothing for any other.
std::optional<diagnose::Explanation> lacks_claim_template(const scheduler::Cluster& cluster,
                                                          const Pod& pod,
                                                          const diagnose::ExplainOptions& options);

/// Adds a Namespace that a manifest would make, with the label that the API server gives each; one
/// of that name that is there already stays.
void add_namespace(SchedulingFacts& facts, Namespace planned);

/// Adds an object that a manifest would make to what is there, in its order; one of that name that
/// is there already stays.
template <class Object>
void insert_planned(std::vector<Object>& objects, Object planned) {
  const auto is_before = [](const Object& a, const Object& b) {
    return std::tie(a.ns, a.name) < std::tie(b.ns, b.name);
  };
  const auto at = std::lower_bound(objects.begin(), objects.end(), planned, is_before);
  if (at == objects.end() || is_before(planned, *at)) objects.insert(at, std::move(planned));
}

}  // namespace gpu::plan
