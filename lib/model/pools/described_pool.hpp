#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/gpu/gpu_labels.hpp"
#include "model/gpu/pool.hpp"
#include "model/objects/node.hpp"

namespace gpu {

/// A resource of a node as a pool: what it counts, how it shares cards, how many cards there are as
/// far as it tells alone. Nothing is counted yet.
Pool described_pool(const Node& node, std::string_view resource,
                    const std::optional<GpuLabels>& labels);

}  // namespace gpu
