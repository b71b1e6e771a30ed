#pragma once

#include "cmd/top/top_answer.hpp"
#include "report/report.hpp"

namespace gpu::cmd {

/// For people: what is held on each node and idle.
void find_idle_units(TopAnswer& answer);

/// For `top nodes`: which node holds most that is idle, before all other hints.
void add_idle_hints(report::Report& report, const TopAnswer& answer);

}  // namespace gpu::cmd
