#include "cmd/top/use_answer.hpp"

#include "usage/rows/gpu_usage.hpp"

namespace gpu::cmd {

void find_idle_units(TopAnswer& answer) {
  if (answer.question.reader != Reader::people || answer.inventory.live.empty()) return;
  for (const usage::GpuUsage& row : usage::gpu_usage(answer.inventory)) {
    const bool is_idle = usage::is_idle(row.use) == true;
    if (row.state == usage::DeviceState::held && is_idle)
      answer.idle_units[pool_key(*row.pool)] += row.units;
  }
}

}  // namespace gpu::cmd
