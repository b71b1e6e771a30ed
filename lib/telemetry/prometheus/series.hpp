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

/// Gives those of `series` that have no time yet the Unix times that are the values of `ages`: the
/// one with the same labels, of whatever metric. Returns how many are left without.
std::size_t set_times(std::vector<Series>& series, const std::vector<Series>& ages);

/// At most `most` queries for the times of those that have none: by the names that cover the most
/// of their sets of labels.
std::vector<std::string> more_age_queries(const std::vector<Series>& series, std::size_t most);

/// Leaves out the series of a device if one metric has several: without times it is not known which
/// one is current. A shared card (`vgpu`) has several on purpose. Returns how many it left out.
std::size_t drop_undecidable(std::vector<Series>& series);

/// The label in which a Prometheus of several clusters writes the cluster; empty: not known.
std::string_view cluster_of(const Series& series);

/// The cluster whose series count, where Prometheus holds those of several.
struct ClusterChoice {
  std::set<std::string, std::less<>> clusters;  ///< all that there are; empty: one without a name
  std::optional<std::string> chosen;  ///< nothing: it is not known which one is this cluster
};

/// Chooses the one that `exporters` belong to, or else the nodes; a name alone does not decide
/// where two clusters have it.
ClusterChoice choose_cluster(const std::vector<Series>& series,
                             const std::vector<Exporter>& exporters, const Snapshot& snapshot);

/// Leaves those of the chosen cluster. Series that lost the label on the way count where there is
/// but one.
void keep_cluster(std::vector<Series>& series, const ClusterChoice& choice);

/// `series` by the scrape target that reported them (`instance`): two targets with the same device
/// are two reports, of which the newer counts.
std::vector<std::vector<Series>> by_target(std::vector<Series> series);

}  // namespace gpu::telemetry
