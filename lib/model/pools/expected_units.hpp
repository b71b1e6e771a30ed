#pragma once

#include <optional>
#include <vector>

#include "model/gpu/gpu_labels.hpp"
#include "model/gpu/pool.hpp"
#include "model/objects/node.hpp"

namespace gpu {

/// Fills Pool::expected: how many units a node should have by its labels (GPU feature discovery's
/// count, the cloud's) and its instance type, the larger of both. Of whole cards and their shares
/// alone, and only where no other pool of their maker stands on the node: it would have some of the
/// cards. What is expected beyond what is advertised counts as a part of the total that is
/// unavailable.
void expect_units(const Node& node, const std::optional<GpuLabels>& labels,
                  std::vector<Pool>& pools);

/// Takes what is expected beyond what is advertised out of the counts of a pool.
void forget_expected(Pool& pool);

}  // namespace gpu
