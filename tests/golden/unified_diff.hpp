#pragma once

#include <string>
#include <string_view>

namespace gpu::golden {

/// How `actual` differs from `expected`, as `diff -u` shows it, with escape characters made
/// visible.
std::string unified_diff(std::string_view name, std::string_view expected, std::string_view actual);

}  // namespace gpu::golden
