#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpu::usage {

/// "a, b, c and 4 more".
std::string listed(const std::vector<std::string>& names);

/// "1 pod is", "2 pods are".
std::string counted(std::size_t count, std::string_view one, std::string_view several);

}  // namespace gpu::usage
