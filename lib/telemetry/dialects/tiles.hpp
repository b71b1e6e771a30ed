#pragma once

#include <span>
#include <vector>

#include "telemetry/dialects/device_rows.hpp"

namespace gpu::telemetry {

/// For Intel's cards, which have tiles: `identify` writes the tile into Sample::partition, and rows
/// without one are about the whole card. The card comes first, then its tiles if it has several.
/// The card gets what only its tiles report: the sum of memory, and otherwise the highest value.
std::vector<Sample> samples_with_tiles(const std::vector<DialectSample>& told, const Origin& origin,
                                       std::span<const Metric> table, const Identify& identify);

}  // namespace gpu::telemetry
