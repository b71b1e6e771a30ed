#pragma once

#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/objects/gap.hpp"
#include "usage/rows/inventory.hpp"

namespace gpu::usage {

/// How old live use is. If all of it is old, the answer says so once.
enum class Ages { fresh, some_old, all_old };

/// By the ages of all measured values that are not stale.
Ages ages_of(const Inventory& inventory);

/// Everything that could not be read, each once: of the cluster, of DRA's devices, of live use.
std::vector<Gap> gaps_of(const Inventory& inventory);

/// The same, and which values of devices are never reported.
std::vector<Gap> gaps_of_values(const Inventory& inventory);

/// What is not known about nodes: of the nodes in `asked`, that they have no GPU; if no nodes were
/// read, what pods hold by claims.
std::vector<Gap> gaps_of_nodes(const Inventory& inventory, const std::vector<std::string>& asked);

/// Drops gaps about nodes that are not in `shown`. If no nodes were read, drops none, because their
/// nodes are not known.
void drop_gaps_of_others(std::vector<Gap>& gaps, const Inventory& inventory,
                         const std::set<std::string_view>& shown);

/// The gap that says why it is not known of any pod whether it was idle for `wanted`. If a gap in
/// `gaps` says which part of the past is missing, it is the reason, and `gaps` are emptied: the
/// others do not apply to that time.
Gap take_idle_gap(std::vector<Gap>& gaps, std::chrono::seconds wanted);

/// The gap that says that it is not known of `pods` pods, although it is of others.
Gap gap_of_some_idle(std::int64_t pods, std::chrono::seconds wanted);

}  // namespace gpu::usage
