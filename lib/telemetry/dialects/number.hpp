#pragma once

#include <optional>
#include <string_view>

namespace gpu::telemetry {

/// A value as Prometheus writes and reads it (Go's ParseFloat without hexadecimal digits and `_`):
/// "1", "+0.5", "1e+011", ".5", NaN, +Inf, -infinity. Too large is infinite, too small is 0.
/// Nothing for anything else.
std::optional<double> parse_float(std::string_view text);

}  // namespace gpu::telemetry
