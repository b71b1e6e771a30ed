#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace gpu {

/// UTC, to the second: what the Kubernetes API gives.
using Time = std::chrono::sys_seconds;

/// RFC 3339 ("2026-11-01T10:00:00Z", "...00.123456+01:00"; fractions are cut off).
/// Nothing for anything else.
std::optional<Time> parse_time(std::string_view text);

/// "2026-11-01T10:00:00Z".
std::string format_time(Time time);

/// An age as kubectl prints it (apimachinery's HumanDuration): 45s, 5m12s, 42m, 3h5m, 12h, 2d4h,
/// 12d, 2y35d; `<invalid>` below -1 s.
std::string human_duration(std::chrono::seconds duration);

}  // namespace gpu
