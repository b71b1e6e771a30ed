#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/time.hpp"
#include "model/snapshot/planned_pod.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu::plan {

/// Whether what a manifest would create would start now, in one sentence.
struct Outlook {
  enum class Start : std::uint8_t { now, waits, unknown };
  Start start = Start::unknown;
  std::string text;  ///< "it would start: it fits on 2 nodes: gpu-a1, gpu-a2"
};

/// Of all pods of `planned`, by the first that would wait; nothing where it makes no pods.
std::optional<Outlook> outlook_of(PlannedObjects planned, Snapshot snapshot,
                                  const std::optional<Time>& now);

}  // namespace gpu::plan
