#pragma once

#include <string>
#include <vector>

namespace gpu {

/// The answers that a gap matters to.
enum class GapTopic {
  none,        ///< no topic of its own: every answer
  owners,      ///< those that show owners
  use,         ///< those that show live use
  scheduling,  ///< those that say why a pod waits
  jobs,        ///< those that count pods that are gone
};

/// What is missing, for code that answers by it.
enum class Missing {
  none,          ///< nothing that an answer asks for by itself
  pods,          ///< the server does not list all of them
  pods_of_file,  ///< a file does not hold all of them
  metrics,       ///< live use of the gap's nodes
  requests,      ///< of whoever uses GPUs of the gap's nodes: no pod requested them
  young,         ///< use of pods that are too young to have been measured
  window,        ///< the past: averages, maxima and idle times
};

/// How the help of a gap reads.
enum class HelpForm {
  prose,
  command,  ///< one line, to be run as it stands
  role,     ///< what to do, with the commands that create a role
};

/// Why something could not be seen, where that is certain.
enum class GapCause {
  other,
  refused,  ///< the API server does not allow it: a right is missing
  absent,   ///< nothing is there that would tell
};

/// Something that could not be seen, so that some numbers are unknown. The command still answers.
/// Its texts are for people alone: what code has to know of it stands in the other fields.
struct Gap {
  std::string what;  ///< "pods cannot be listed in all namespaces"
  std::string why;   ///< the server's words, or what was looked for
  std::string help;  ///< what would close it; may hold several lines
  GapTopic about = GapTopic::none;
  Missing missing = Missing::none;
  HelpForm help_form = HelpForm::prose;
  std::vector<std::string> nodes = {};  ///< all that it is about; empty: not about nodes alone
  GapCause cause = GapCause::other;
  friend bool operator==(const Gap&, const Gap&) = default;
};

/// The first of `gaps` that says why something is missing; null when none does.
const Gap* gap_of(const std::vector<Gap>& gaps, Missing missing);

}  // namespace gpu
