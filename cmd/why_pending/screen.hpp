#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "diagnose/answer/explanation.hpp"
#include "report/diagnostic.hpp"

namespace gpu::cmd {

/// How much of an answer people see.
enum class Detail {
  brief,  ///< what fits 24 lines of 80 columns for most causes
  all,    ///< every group of nodes, fix and note, and the scheduler's whole message
};

/// Answers for people.
struct Screen {
  std::vector<report::Diagnostic> answers;  ///< headline, evidence, nodes, fixes, notes
  std::vector<report::Advised> closing;     ///< below several answers: what holds for all of them
};

/// No note stands twice on a screen, and what was not checked stands at its end. A brief screen
/// says what it leaves out.
Screen screen_of(const std::vector<diagnose::Explanation>& answers, const std::optional<Time>& now,
                 Detail detail);

}  // namespace gpu::cmd
