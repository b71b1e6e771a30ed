#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace gpu {

/// A length of time to the second, as a person types it: 30m, 1h, 5h30m, 7d; 0s.
std::string typed_duration(std::chrono::seconds length);

/// The same back: "1h", "90m", "1d12h", "2w". Nothing for text that is no length of time, or one
/// of more than a hundred years.
std::optional<std::chrono::seconds> parse_duration(std::string_view text);

}  // namespace gpu
