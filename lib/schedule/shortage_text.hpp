#pragma once

#include <string>

#include "schedule/node_reason.hpp"

namespace gpu::schedule {

/// What a node has of something that is not a GPU and of which the pod asks for more: "has only 12
/// of the 16 cpu that the pod asks for", "has no rdma/hca left". Empty for words that are not about
/// amounts.
std::string shortage_text(const Cluster& cluster, const NodeReasons& reasons,
                          const NodeVerdict& node, Word word);

/// The same in a row of the table: "12 of 32 cpu free".
std::string shortage_detail(const Cluster& cluster, const NodeReasons& reasons,
                            const NodeVerdict& node, Word word);

}  // namespace gpu::schedule
