#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpu::telemetry {

/// No query below is longer in a URL, percent-encoded: an API server's proxy takes about 8 KB in
/// all.
inline constexpr std::size_t kLongestQuery = 5500;

/// How long `query` is in a URL, with all but letters, digits and "-._~" percent-encoded.
std::size_t length_in_url(std::string_view query);

/// The queries for the current values in Prometheus: selectors of the names that dialects read, in
/// as few queries as the length allows.
std::vector<std::string> instant_queries();

/// The queries for averages, maxima and idle time of the last `window` (at least a minute): spec
/// B5. The names in the answers end as interpret.hpp says. Owners are left out: at each step a
/// device's value is the highest of its series, so that a pod that held it for a while does not
/// count as a device of its own.
std::vector<std::string> window_queries(std::chrono::seconds window);

/// The queries for when series were measured, because an answer about now can be up to 5 minutes
/// old. The answer has labels without a name, one series for each set of labels, and Unix times as
/// values; they apply to every series of instant_queries() with the same labels.
std::string age_query();

}  // namespace gpu::telemetry
