#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gpu::diagnose {

/// The nodes that one reason rules out, as a headline names them.
struct RuledOut {
  std::vector<std::size_t> nodes;  ///< places in Cluster::nodes(), nearest first; at least one
  std::string title;               ///< "4 nodes with free GPUs"
  std::string all;                 ///< "all 4 nodes with free GPUs", "both nodes with ..."
};

}  // namespace gpu::diagnose
