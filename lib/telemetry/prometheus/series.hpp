#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/snapshot/snapshot.hpp"
#include "telemetry/dialects/series.hpp"
#include "telemetry/exporters/exporters.hpp"

namespace gpu::telemetry {

/// Adds times to those of `series` that have none yet: the values of `ages`, which are Unix times,
/// of the series with the same labels, of whatever metric. Returns how many still have none.
std::size_t set_times(std::vector<Series>& series, const std::vector<Series>& ages);

/// At most `most` queries for the times of those that have none: by the names that cover most of
/// their sets of labels.
std::vector<std::string> more_age_queries(const std::vector<Series>& series, std::size_t most);

/// Leaves out the series of a device if one metric has several: without times it is not known which
/// one is current. A shared card (`vgpu`) has several on purpose. Returns how many it left out.
std::size_t drop_undecidable(std::vector<Series>& series);

/// The label in which a Prometheus of several clusters writes the cluster; empty: not known.
std::string_view cluster_of(const Series& series);

/// The cluster whose series count, if Prometheus collects several clusters.
struct ClusterChoice {
  std::set<std::string, std::less<>> clusters;  ///< all that there are; empty: one without a name
  std::optional<std::string> chosen;  ///< nothing: it is not known which one is this cluster
};

/// Chooses the cluster that `exporters` belong to, otherwise that of the nodes. A name of a pod or
/// node decides nothing if two clusters have it.
ClusterChoice choose_cluster(const std::vector<Series>& series,
                             const std::vector<Exporter>& exporters, const Snapshot& snapshot);

/// Keeps the series of the chosen cluster. Series without the label count if there is only one
/// cluster.
void keep_cluster(std::vector<Series>& series, const ClusterChoice& choice);

/// `series` by the scrape target that reported them (`instance`): two targets with the same device
/// are two reports, of which the newer counts.
std::vector<std::vector<Series>> by_target(std::vector<Series> series);

}  // namespace gpu::telemetry
