#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "model/objects/node.hpp"

namespace gpu::kube {

/// Those of `names` that no node has.
std::vector<std::string> missing_names(const std::vector<Node>& nodes,
                                       const std::vector<std::string>& names);

/// Drops the nodes that are not named; all stay when nothing is.
void keep_only(std::vector<Node>& nodes, const std::vector<std::string>& names);

/// kubectl's `nodes "x" not found`, with the nearest of `all` as help.
Error missing_node_error(const std::string& name, const std::vector<Node>& all,
                         const std::string& selector);

}  // namespace gpu::kube
