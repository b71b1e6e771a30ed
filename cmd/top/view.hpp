#pragma once

#include "cmd/top/answer.hpp"
#include "report/report.hpp"

namespace gpu::cmd {

/// The answer as the view, for every form of output, sorted as asked. Throws Error{usage} for a
/// column to sort by that the view does not have.
report::Report top_report(const TopAnswer& answer);

// One for each view, in the file of its name: rows in the order given.
report::Report nodes_report(const TopAnswer& answer);
report::Report gpus_report(const TopAnswer& answer);
report::Report pods_report(const TopAnswer& answer);
report::Report namespaces_report(const TopAnswer& answer);
report::Report models_report(const TopAnswer& answer);

/// `top nodes --tree` for people and pipes: `order` has the places of the nodes.
report::Report tree_report(const TopAnswer& answer, const std::vector<std::size_t>& order);

}  // namespace gpu::cmd
