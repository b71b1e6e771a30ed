#pragma once

#include <string>
#include <vector>

#include "model/snapshot.hpp"
#include "report/report.hpp"
#include "usage/node_usage.hpp"

namespace gpu::cmd {

/// What `top nodes` shows: rows in the order given, totals over them, what to do next.
struct NodesAnswer {
  const Snapshot& snapshot;
  std::vector<usage::NodeUsage> rows;
  std::vector<std::string> label_columns;  ///< -L
  std::string empty_text;                  ///< said when there are no rows
};

/// The view of `top nodes`, for every form of output.
report::Report nodes_report(const NodesAnswer& answer);

}  // namespace gpu::cmd
