#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/gpu/gpu_labels.hpp"
#include "model/gpu/pool.hpp"
#include "model/objects/node.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu {

/// Whether a pool is what a kubelet keeps, for 5 minutes and more, of a name that was given up: of
/// whole cards that were since cut, renamed, or handed to a sharing scheduler, or of any name while
/// the node offers all its cards in other `pools`. None of its units is allocatable.
bool lingers(const Pool& pool, const std::vector<Pool>& pools, const Node& node,
             const std::optional<GpuLabels>& labels);

/// Drops pools that linger and of which nobody holds anything.
void drop_stale_names(std::vector<Pool>& pools, const Node& node, const NodeSums* sums,
                      const std::optional<GpuLabels>& labels);

/// Finds the cards behind MIG slices that are advertised under their own name: labels count
/// physical cards there, cut or whole, and the whole ones stand beside. Of several profiles nobody
/// knows which stand on how many cards: seven 1g and two 3g fill two cards apart or mixed.
void settle_slices(std::vector<Pool>& pools, const std::optional<GpuLabels>& labels);

/// Marks the pools that show cards of another pool of the node under a second name. Each keeps the
/// scheduler's arithmetic: it counts the names apart, so a pod could start by either. On how many
/// cards what is held by the other name stands, nobody knows.
void settle_views(std::vector<Pool>& pools);

}  // namespace gpu
