#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/dra/dra_device.hpp"
#include "model/dra/dra_held.hpp"
#include "model/dra/dra_pool.hpp"

namespace gpu {

/// A device of a node, and how its units are shared out: one, or the shares of its capacity.
struct DraUnit {
  DraDevice shown;
  DraDeviceFacts facts;
  std::size_t pool = 0;           ///< index into the pools
  const DraHeld* held = nullptr;  ///< null: by nobody
  /// The card itself stands beside it: a card's other driver mode.
  bool is_second_view = false;
  /// Lives off counters that other devices live off, too: a slice that is cut when it is needed.
  bool is_on_demand = false;
  /// Counts in its row. A slice on demand does only while it is held, or could be cut now.
  bool is_counted = true;
  std::optional<std::int64_t> total = 1;  ///< nothing: any number of claims may share it
  std::optional<std::int64_t> left = 1;   ///< of these held by nobody
  std::optional<std::int64_t> free = 0;   ///< of these could be had now
};

using DraUnits = std::map<std::string, std::vector<DraUnit>, std::less<>>;  ///< by node

/// The devices of `pools` on single nodes, in the order in which the scheduler tries them.
DraUnits units_of(const std::vector<DraPool>& pools, const DraHoldings& holdings);

/// Finds what is free: hands out in thought what nobody holds, as the scheduler would to one pod
/// after the other: all whole cards, then the slices from the largest to the smallest.
void hand_out(DraUnits& units, const std::vector<DraPool>& pools, const DraHoldings& holdings);

}  // namespace gpu
