#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace gpu::metrics {

/// Longest query: below 6 KB as part of a URL, percent-encoded.
inline constexpr std::size_t kLongestQuery = 6000;

/// What to ask Prometheus for the values of now, in PromQL: selectors of the names that dialects
/// read, together as few as fit into a URL. Their answers' series are fit for samples_of().
std::vector<std::string> instant_queries();

/// What to ask for averages and maxima over the last `window`. The answers' names are those that
/// interpret.hpp lists: the metric's, and behind a colon what was made of it. Owners are left out:
/// a device's values are the highest of its series at each step, so that no pod's share of the time
/// counts as the device's.
std::vector<std::string> window_queries(std::chrono::seconds window);

/// What to ask for when series were measured: an answer of now hides up to 5 minutes. The answer
/// has their labels without a name, one series for each set of labels, and Unix times as values.
std::string age_query();

}  // namespace gpu::metrics
