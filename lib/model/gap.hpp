#pragma once

#include <string>
#include <vector>

namespace gpu {

/// Something that could not be seen, so that some numbers are unknown. The command still answers.
struct Gap {
  std::string what;  ///< "pods cannot be listed in all namespaces"
  std::string why;   ///< the server's words, or what was looked for
  std::string help;  ///< what would close it; may hold several lines
  /// "owners", "use", "scheduling": it matters only where those are shown; empty: to every answer.
  std::string about = {};
  std::vector<std::string> nodes = {};  ///< all that it is about; empty: not about nodes alone
  friend bool operator==(const Gap&, const Gap&) = default;
};

}  // namespace gpu
