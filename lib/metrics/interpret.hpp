#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "metrics/series.hpp"
#include "model/sample.hpp"

namespace gpu::metrics {

/// Where series come from.
struct Origin {
  MetricSource source = MetricSource::exporter;
  std::string exporter;         ///< "NAMESPACE/POD"; empty when that is not known
  std::string node;             ///< of that pod; empty for Prometheus: labels say it
  std::optional<Time> read_at;  ///< what series without a time get
};

/// Whether a metric tells something that samples hold: the names of every exporter that is known
/// here, old and new. Others need not be read or stored.
bool is_known_metric(std::string_view name);

/// Every name for which is_known_metric() says yes, for queries.
const std::vector<std::string_view>& known_metrics();

/// The devices that `series` tell of, each once, in the order in which they first appear: aliases,
/// units, sentinels and ranges by the dialect of their exporter. What is told and not credible is
/// no value, and a doubt of its sample.
std::vector<Sample> samples_of(const std::vector<Series>& series, const Origin& origin);

}  // namespace gpu::metrics
