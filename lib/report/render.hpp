#pragma once

#include <string>
#include <vector>

#include "report/report.hpp"
#include "report/style.hpp"

namespace gpu::report {

/// The answer for stdout. Text ends with a newline unless empty. JSON is
/// {apiVersion, kind, items, summary, gaps}, always valid UTF-8; YAML says the same; csv and name
/// have one line per row. Hints are not in it.
std::string render(const Report& report, Format format, const Style& style);

/// The hint lines after a table on a terminal, at most three; empty if there are none.
std::string render_hints(const Report& report, const Style& style);

/// `warning: what`, `note: why`, `help: help` for each gap, for stderr.
std::string render_gaps(const std::vector<Note>& gaps, const Style& style);

/// `error: ...` and `help: ...` as OUTPUT shows them, for stderr. `help` may hold lines; a line
/// that starts with a space is a command and is printed as it is.
std::string render_error(const std::string& headline, const std::string& help, const Style& style);

/// `note: text` for stderr.
std::string render_note(const std::string& text, const Style& style);

/// `text` for stderr, in the style of `warning:` lines: one line, cleaned.
std::string render_warning(const std::string& text, const Style& style);

}  // namespace gpu::report
