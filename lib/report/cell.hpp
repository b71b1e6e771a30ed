#pragma once

#include "report/layout.hpp"
#include "report/paint.hpp"

namespace gpu::report {

/// Draws `cell` into the `width` columns that start at the line's place. A cell without a concern
/// of its own is drawn in `ground`.
void draw_cell(Line& line, const DrawnColumn& field, const Cell& cell, std::size_t width,
               Paint ground, const Style& style);

}  // namespace gpu::report
