#pragma once

#include <string>
#include <vector>

#include "diagnose/answer/explain_options.hpp"
#include "model/snapshot/snapshot.hpp"
#include "plan/fit/ask.hpp"

namespace gpu::plan {

/// Names of ready nodes that are cordoned and nothing else: after `kubectl uncordon` of them, all
/// of `objects` start, and each of them is needed for that (but where there are more than a few).
/// Empty: no such nodes let all start.
std::vector<std::string> nodes_to_uncordon(const Snapshot& snapshot,
                                           const std::vector<AskedObject>& objects,
                                           const diagnose::ExplainOptions& options);

}  // namespace gpu::plan
