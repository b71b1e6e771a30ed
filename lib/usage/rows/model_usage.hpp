#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/gpu/pool.hpp"
#include "usage/devices/use.hpp"
#include "usage/rows/inventory.hpp"
#include "usage/rows/unit.hpp"

namespace gpu::usage {

/// One row of `top models`: all units of a model that are alike. A sum with an unknown part is
/// unknown.
///
/// Utilization is the mean over units that are not unavailable, as above the table
/// (UsageTotals::busy). If all units of a model are unavailable, it is the mean over the measured
/// ones, as in the rows of nodes. Other values of use leave out units that are unavailable and not
/// measured. Total memory includes all units.
struct ModelUsage {
  const Pool* pool = nullptr;  ///< one of them: the same model, vendor, unit and sharing
  std::set<std::string> nodes;
  std::optional<std::int64_t> cards = 0;
  std::optional<std::int64_t> free_cards = 0;
  std::optional<std::int64_t> total = 0;
  std::optional<std::int64_t> allocated = 0;
  std::optional<std::int64_t> at_least = 0;  ///< allocated by the pods that were seen
  std::optional<std::int64_t> free = 0;
  std::optional<std::int64_t> unavailable = 0;
  Use use;
};

/// `pools`, which are those of `inventory`, by model, most cards first; cards that are in another
/// pool too have a row of their own.
std::vector<ModelUsage> model_usage(const Inventory& inventory,
                                    const std::vector<const Pool*>& pools);

}  // namespace gpu::usage
