#pragma once

#include <set>
#include <string>
#include <vector>

#include "kube/exporters.hpp"
#include "metrics/series.hpp"
#include "model/snapshot.hpp"

namespace gpu::kube {

/// Gives `series` the times of `ages`, an answer of metrics::age_query(): the Unix time of the
/// series that has the same labels. Returns how many got none.
std::size_t set_times(std::vector<metrics::Series>& series,
                      const std::vector<metrics::Series>& ages);

/// The label by which whoever collects several clusters tells them apart; empty: not told.
std::string_view cluster_of(const metrics::Series& series);

/// Of series of several clusters, leaves those of the one that `exporters` and the nodes belong to;
/// names alone do not decide where two clusters have them. Returns the clusters among which it
/// could not be told: then nothing is left.
std::set<std::string> keep_this_cluster(std::vector<metrics::Series>& series,
                                        const std::vector<Exporter>& exporters,
                                        const Snapshot& snapshot);

/// `series` by the target that told them (`instance`): what two targets tell of a device is two
/// tellings, of which the newer counts.
std::vector<std::vector<metrics::Series>> by_target(std::vector<metrics::Series> series);

}  // namespace gpu::kube
