#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "kube/read/collect_context.hpp"
#include "model/objects/gap.hpp"
#include "telemetry/prometheus/answer.hpp"
#include "telemetry/prometheus/place.hpp"

namespace gpu::telemetry {

/// Why a query was not answered, and what would help.
struct QueryProblem {
  std::string why;
  std::string help;
  bool is_forbidden = false;  ///< by the API server: a role is missing
  HelpForm help_form = HelpForm::prose;
};

/// What came of one query.
struct QueryResult {
  std::vector<Series> series;
  PrometheusAnswer answer;
  std::optional<QueryProblem> problem;  ///< nothing: it was answered, maybe in part
};

/// Sends all `queries` to `place` at once, each at most `limit`; results in their order. Only GET.
std::vector<QueryResult> ask(kube::CollectContext& reading, const PrometheusPlace& place,
                             const std::vector<std::string>& queries,
                             std::chrono::milliseconds limit);

/// A query whose series are passed on while the answer arrives, and are not stored.
struct StreamedQuery {
  std::string query;
  Time at;  ///< the time of the query
  /// Called for each series. If the request is repeated, called again from the first series on.
  std::function<void(Series&&)> take;
};

/// The same for `queries`; results without series.
std::vector<QueryResult> ask(kube::CollectContext& reading, const PrometheusPlace& place,
                             const std::vector<StreamedQuery>& queries,
                             std::chrono::milliseconds limit);

/// Sends the cheapest query that only Prometheus answers to each of `places`, all at once. None of
/// them is outside the cluster.
std::vector<QueryResult> probe(kube::CollectContext& reading,
                               const std::vector<PrometheusPlace>& places);

}  // namespace gpu::telemetry
