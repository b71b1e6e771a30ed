#pragma once

#include <cstddef>
#include <string>

#include "report/report.hpp"
#include "report/style.hpp"

namespace gpu::report {

/// No text is shortened to less.
inline constexpr std::size_t kShortestText = 8;

/// `text` of a cell of `column` in at most `limit` columns. Prose loses its end, since it starts
/// with what matters. Names lose their middle; a count at their end, "train (9 pods)", stays.
std::string shortened(const std::string& text, const Column& column, std::size_t limit,
                      const Style& style);

}  // namespace gpu::report
