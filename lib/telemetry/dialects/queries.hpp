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

/// What to ask Prometheus for the values of now: selectors of the names that dialects read, as few
/// as the length allows.
std::vector<std::string> instant_queries();

/// What to ask for averages, maxima and idle time of the last `window` (at least a minute): spec
/// B5. The answers' names end as interpret.hpp says. Owners are left out: at each step a device's
/// value is the highest of its series, so that a pod that held it for a while does not count as a
/// device of its own.
std::vector<std::string> window_queries(std::chrono::seconds window);

/// What to ask for when series were measured: an answer of now hides up to 5 minutes. The answer
/// has labels without a name, one series for each set of labels, and Unix times as values; they
/// hold for every series of instant_queries() that has the same labels.
std::string age_query();

}  // namespace gpu::telemetry
