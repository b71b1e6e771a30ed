#pragma once

#include <string_view>

namespace gpu::lint {

/// How bad a finding is. An error is refused by the API server, never runs, or silently does not
/// what it says; a warning fails in common set-ups; advice is about what costs or waits.
enum class Severity { advice, warning, error };

/// "advice", "warning", "error".
std::string_view name_of(Severity severity);

/// A mistake that is looked for. Rules are declared beside the checks that report them.
struct Rule {
  std::string_view id;  ///< "gpu-limit-missing": never renamed once released
  Severity severity = Severity::error;
  std::string_view summary;  ///< what is wrong, in a few words, no full stop
  std::string_view reason;   ///< what happens, and what to write: sentences
  std::string_view source;   ///< the documentation, code, or public report behind it
};

}  // namespace gpu::lint
