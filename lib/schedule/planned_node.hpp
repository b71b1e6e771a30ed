#pragma once

#include <optional>

#include "schedule/explain.hpp"

namespace gpu::schedule {

/// The answer for a pod that is not made yet, and whose spec.nodeName names a node that does not
/// exist: no scheduler ever looks at it. Nothing for any other.
std::optional<Explanation> bound_to_no_node(const Cluster& cluster, const Pod& pod,
                                            const ExplainOptions& options);

}  // namespace gpu::schedule
