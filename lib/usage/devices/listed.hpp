#pragma once

#include <string>
#include <vector>

#include "base/phrase.hpp"

namespace gpu::usage {

/// "a, b, c and 4 more": a list in a gap.
inline std::string listed(const std::vector<std::string>& names) { return few_and_rest(names, 3); }

}  // namespace gpu::usage
