#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/cycle/verdict.hpp"

namespace gpu::scheduler {

/// The rejection of the whole pod that decides: the first that is unresolvable, otherwise the last.
/// Null if there is none.
const PodRejection* decisive_rejection(const Verdict& verdict);

/// The scheduler's text where PreFilters left no node.
std::string nothing_left_text(const std::vector<Filter>& filters);

/// How often each reason was given.
using Histogram = std::map<std::string, std::size_t, std::less<>>;

/// "0/9 nodes are available:", and then " 3 Insufficient cpu, 6 ....": sorted as text.
std::string unavailable_head(std::size_t nodes);
std::string unavailable_body(const Histogram& reasons);

/// The plugins' names, sorted: "[NodeAffinity TaintToleration]".
std::string list_of(const std::vector<Filter>& filters);

}  // namespace gpu::scheduler
