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
/// Utilization is the mean over what is not unavailable, as above the table (UsageTotals::busy);
/// where all of a model is unavailable, over what is measured, as in the rows of nodes. What else
/// is told of use leaves out what is unavailable and not measured. Memory that there is counts all.
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

/// `pools`, which are those of `inventory`, by model, most cards first; what stands in another pool
/// too is a row of its own.
std::vector<ModelUsage> model_usage(const Inventory& inventory,
                                    const std::vector<const Pool*>& pools);

}  // namespace gpu::usage
