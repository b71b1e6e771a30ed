#pragma once

#include <optional>
#include <vector>

#include "diagnose/answer/explain_options.hpp"
#include "plan/filling.hpp"
#include "plan/fit/ask.hpp"
#include "plan/fit/result.hpp"

namespace gpu::plan {

/// The cordoned nodes on which more pods of `objects` start than without them. Only nodes
/// that diagnose::may_be_uncordoned(). Nothing: no cordon keeps pods waiting, or
/// there are more than kMostTriedPods pods of one template.
std::optional<Uncordoning> uncordoning_for(Filling& filling,
                                           const std::vector<AskedObject>& objects,
                                           const diagnose::ExplainOptions& options);

}  // namespace gpu::plan
