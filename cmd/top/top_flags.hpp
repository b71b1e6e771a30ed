#pragma once

#include <string>
#include <vector>

#include "cmd/shell/flags.hpp"
#include "cmd/shell/metrics_flags.hpp"

namespace gpu::cmd {

/// The flags of `top`, as typed.
struct TopFlags {
  GlobalFlags global;
  MetricsFlags metrics;
  std::vector<std::string> words;  ///< the view, then names
  std::string selector;
  std::vector<std::string> nodes;
  std::string model;
  std::string resource;
  std::string sort_by;
  bool free = false;  ///< hidden: people try it, and mean --sort-by free
  std::vector<std::string> label_columns;
  bool all_namespaces = false;
  bool no_fold = false;
  bool tree = false;
  bool summary = false;
  bool watch = false;
};

}  // namespace gpu::cmd
