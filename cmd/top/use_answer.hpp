#pragma once

#include "cmd/top/top_answer.hpp"

namespace gpu::cmd {

/// For people: what is held on each node and idle.
void find_idle_units(TopAnswer& answer);

}  // namespace gpu::cmd
