#pragma once

#include <chrono>
#include <string>

namespace gpu {

/// A length of time to the second, as a person types it: 30m, 1h, 5h30m, 7d; 0s.
std::string typed_duration(std::chrono::seconds length);

}  // namespace gpu
