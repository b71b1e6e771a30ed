#pragma once

#include <string_view>
#include <vector>

#include "model/gpu/sample.hpp"
#include "telemetry/dialects/series.hpp"

namespace gpu::telemetry {

/// The endings that our queries of Prometheus add to the name of a metric, to say how its values
/// were computed. Names with these endings are read as the metric's own dialect reads it, in the
/// metric's own unit, and only if Origin::source is prometheus.
///
/// NAME:timestamp has exactly the labels of a series of NAME in the same answer, and the Unix time
/// of its sample as value; that time becomes Series::at of the series. The other three are about
/// devices: they have the labels that identify a device, and none of its owners. Of several rows
/// for one device the average must be the same in all, otherwise it is unknown; the highest maximum
/// counts, and the shortest idle time.
inline constexpr std::string_view kTimestampEnding = ":timestamp";
inline constexpr std::string_view kAverageEnding = ":avg";
inline constexpr std::string_view kHighestEnding = ":max";
inline constexpr std::string_view kIdleEnding = ":idle_seconds";  ///< value: seconds until now

/// Whether a metric has a value that samples contain: the names of every exporter that is known
/// here, old and new, with or without one of the endings above. Other series need not be read or
/// stored.
bool is_known_metric(std::string_view name);

/// Every name for which is_known_metric() says yes, for queries; without endings, and without the
/// prefixes that a site may put before AMD's names.
const std::vector<std::string_view>& known_metrics();

/// The devices in `series`, each once, dialect by dialect in the order in which they first appear.
/// The dialect of their exporter decides about aliases, units, sentinels and ranges. A value that
/// is not credible is left out, and becomes a doubt of its sample.
///
/// Of several series of one metric and one device only the newest count (an owner who changed
/// creates a new series), and owners whose series are older than another's are gone. Sample::at is
/// the oldest time of the measures that the sample shows; a measure that is over 5 minutes older
/// than the sample's newest is removed. Series that are dated more than kMostClockSkew after
/// Origin::read_at leave a doubt of their device, in a sample of its own, and nothing else.
std::vector<Sample> samples_of(const std::vector<Series>& series, const Origin& origin);

}  // namespace gpu::telemetry
