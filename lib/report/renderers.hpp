#pragma once

#include <string>

#include "report/render.hpp"

namespace gpu::report {

/// For a terminal: summary, then a table, or a block per row where there is no room for one.
std::string render_text(const Report& report, Format format, const Style& style);

/// For pipes and files: one row per thing, no space inside a cell, numbers bare.
std::string render_plain(const Report& report, Format format, const Style& style);

/// The whole answer as JSON, in two-space indentation.
std::string render_json(const Report& report);
/// The same answer as YAML.
std::string render_yaml(const Report& report);
/// Rows only, as RFC 4180 except for its line ends.
std::string render_csv(const Report& report, const Style& style);

/// `node/gpu-a1` per row, each once, in order.
std::string render_names(const Report& report, const Style& style);

}  // namespace gpu::report
