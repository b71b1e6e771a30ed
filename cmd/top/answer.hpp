#pragma once

#include <optional>

#include "base/time.hpp"
#include "cmd/top/top_answer.hpp"

namespace gpu::cmd {

/// Decides what the rows are. Throws Error{usage} for a name that no row has, with the nearest.
TopAnswer answer_to(const TopQuestion& question, const Snapshot& snapshot,
                    const std::optional<Time>& now);

/// Keeps only pods that were idle for as long as asked; of how many that is not known is said.
void keep_idle(TopAnswer& answer);

}  // namespace gpu::cmd
