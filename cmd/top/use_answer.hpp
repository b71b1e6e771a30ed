#pragma once

#include "cmd/top/top_answer.hpp"

namespace gpu::cmd {

/// What of live use concerns the whole answer: what was not believed, how old it is, over which
/// time it tells.
void judge_use(TopAnswer& answer);

/// For people: what is held on each node and idle.
void find_idle_units(TopAnswer& answer);

}  // namespace gpu::cmd
