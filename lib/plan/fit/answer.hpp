#pragma once

#include <optional>

#include "base/time.hpp"
#include "cost/prices/price_book.hpp"
#include "model/snapshot/planned_pod.hpp"
#include "model/snapshot/snapshot.hpp"
#include "plan/fit/result.hpp"

namespace gpu::plan {

/// What is read beside the cluster.
struct FitContext {
  const cost::PriceBook& prices;
  std::optional<Time> now;
};

/// Whether what `planned` would create starts now in the cluster of `snapshot`, by kube-scheduler's
/// filters, scores and queue; beside it what is free, and which nodes are missing.
FitAnswer fit_answer(PlannedObjects planned, Snapshot snapshot, const FitContext& context);

}  // namespace gpu::plan
