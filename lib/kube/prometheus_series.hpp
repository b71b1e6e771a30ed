#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
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

/// The cluster whose series count, where Prometheus holds those of several.
struct ClusterChoice {
  std::set<std::string, std::less<>> clusters;  ///< all that there are; empty: one without a name
  std::optional<std::string> chosen;            ///< nothing: which is this one cannot be told
};

/// Chooses the one that `exporters` belong to, or else the nodes; a name alone does not decide
/// where two clusters have it.
ClusterChoice choose_cluster(const std::vector<metrics::Series>& series,
                             const std::vector<Exporter>& exporters, const Snapshot& snapshot);

/// Leaves those of the chosen cluster. Series that lost the label on the way count where there is
/// but one.
void keep_cluster(std::vector<metrics::Series>& series, const ClusterChoice& choice);

/// `series` by the target that told them (`instance`): what two targets tell of a device is two
/// tellings, of which the newer counts.
std::vector<std::vector<metrics::Series>> by_target(std::vector<metrics::Series> series);

}  // namespace gpu::kube
