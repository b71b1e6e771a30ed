#pragma once

#include <vector>

#include "cost/ledger/ledger.hpp"
#include "diagnose/answer/explain_options.hpp"
#include "plan/filling.hpp"
#include "plan/fit/ask.hpp"
#include "plan/fit/result.hpp"

namespace gpu::plan {

/// So many nodes are added at most.
inline constexpr std::int64_t kMostNodes = 200;

/// The nodes of each type that would do.
struct NeededNodes {
  std::vector<NodeNeed> needs;
  bool is_cut = false;  ///< of some type more than kMostNodes
};

/// Which nodes of the types that the cluster has would have to be added so that all of `objects`
/// start, each type by itself: the cheapest first. `filling` is as before afterwards.
NeededNodes nodes_needed(Filling& filling, const std::vector<AskedObject>& objects,
                         const cost::Ledger& ledger, const diagnose::ExplainOptions& options);

}  // namespace gpu::plan
