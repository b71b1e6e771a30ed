#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/gpu_labels.hpp"
#include "model/node.hpp"
#include "model/pool.hpp"

namespace gpu {

/// Drops what a kubelet keeps of whole cards that were since cut, renamed, or handed to a sharing
/// scheduler: none of them is allocatable or held.
void drop_stale_cards(std::vector<Pool>& pools, const NodeSums* sums);

/// Finds the cards behind MIG slices that are advertised under their own names, from what the pools
/// of a node say together. Labels count physical cards there, cut or whole. Cards of several
/// profiles are known only where full cards of each add up; else a card may hold several of them.
void settle_slices(std::vector<Pool>& pools, const std::optional<GpuLabels>& labels);

/// Marks the counted pools that show cards of another pool of the node under a second name.
void settle_views(std::vector<Pool>& pools);

}  // namespace gpu
