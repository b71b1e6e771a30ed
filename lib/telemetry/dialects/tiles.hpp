#pragma once

#include <span>
#include <vector>

#include "telemetry/dialects/device_rows.hpp"

namespace gpu::telemetry {

/// Intel's cards have tiles, which `identify` says in Sample::partition; rows without one are of
/// the whole card. The card comes first, then its tiles where it has several. What only tiles are
/// told of is the card's too: memory is added up, of the rest the highest counts.
std::vector<Sample> samples_with_tiles(const std::vector<DialectSample>& told, const Origin& origin,
                                       std::span<const Metric> table, const Identify& identify);

}  // namespace gpu::telemetry
