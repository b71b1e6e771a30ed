#pragma once

#include <cstddef>
#include <vector>

#include "cmd/top/top_answer.hpp"
#include "report/report.hpp"

namespace gpu::cmd {

/// `top nodes --tree` for people and pipes: `order` has the places of the nodes.
report::Report tree_report(const TopAnswer& answer, const std::vector<std::size_t>& order);

}  // namespace gpu::cmd
