#pragma once

#include <chrono>

namespace gpu::kube {

/// Whether `descriptor` has something to read, or is at its end, within `longest`. Throws
/// Error{interrupted} when a signal comes meanwhile.
bool is_readable_within(int descriptor, std::chrono::milliseconds longest);

}  // namespace gpu::kube
