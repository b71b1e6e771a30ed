#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/gpu/gpu_labels.hpp"
#include "model/gpu/pool.hpp"
#include "model/objects/node.hpp"

namespace gpu {

/// The scheduler that hands out parts of the cards behind `resource`: HAMi, Volcano, gpushare; none
/// where the kubelet alone does.
SharingStrategy sharing_scheduler(const Node& node, std::string_view resource);

/// How the units of `pool` share cards: what labels and annotations say, as far as it agrees with
/// what is advertised. Needs the pool's resource, kind and capacity.
Sharing sharing_on(const Node& node, const Pool& pool, const std::optional<GpuLabels>& labels);

}  // namespace gpu
