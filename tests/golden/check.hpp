#pragma once

#include <string>

#include "golden_case.hpp"

namespace gpu::golden {

/// What is done with an answer that differs from the files beside `case`.
enum class OnChange { report, update };

/// Runs the program on a case in one form, in this process; what is wrong with the answer, empty if
/// nothing is. An exit code is never updated.
std::string problems_of(const Case& each, const std::string& form, const Words& form_words,
                        OnChange on_change);

}  // namespace gpu::golden
