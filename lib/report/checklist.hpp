#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/style.hpp"

namespace gpu::report {

/// A line of a list of checks: `FAIL  metrics  dcgm-exporter is not ready ...`, and what helps.
struct ChecklistItem {
  enum class Tone : std::uint8_t { good, warning, broken, dim };
  Tone tone{};
  std::string word;     ///< "ok", "FAIL": says what the colour repeats
  std::string name;     ///< of the check
  std::string text;     ///< wrapped under its own column
  std::string help;     ///< lines; those that are commands are not wrapped
  std::string command;  ///< on a line of its own
};

/// For people; without a width nothing is wrapped.
std::string render_checklist(const std::vector<ChecklistItem>& items, const Style& style);

}  // namespace gpu::report
