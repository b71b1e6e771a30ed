#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/gpu/gpu_labels.hpp"
#include "model/gpu/pool.hpp"
#include "model/objects/node.hpp"

namespace gpu {

/// Physical cards behind a pool, as far as the pool tells alone. Needs its kind, capacity and
/// sharing.
std::optional<std::int64_t> cards_behind(const Node& node, const Pool& pool,
                                         const std::optional<GpuLabels>& labels);

/// Cards or slices behind the units of a pool, before sharing.
std::optional<std::int64_t> unshared_units(const Pool& pool);

/// Units that labels promise: cards or slices, times replicas. Nothing where they do not say.
std::optional<std::int64_t> promised_units(const Node& node, const Pool& pool,
                                           const GpuLabels& labels);

}  // namespace gpu
