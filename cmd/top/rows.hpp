#pragma once

#include "cmd/top/top_answer.hpp"

namespace gpu::cmd {

/// Whether a pool or a row is among those that flags choose.
bool matches(const Pool& pool, const TopQuestion& question);
bool matches(const usage::PodUsage& row, const TopQuestion& question);
bool matches(const usage::GpuUsage& row, const TopQuestion& question);

/// Finds the pods that hold GPUs, each with what it holds.
void find_pods(TopAnswer& answer);

}  // namespace gpu::cmd
