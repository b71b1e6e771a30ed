#include "checkup/checks/check.hpp"

namespace gpu::checkup {

CheckResults check_completion(const CheckContext& context) {
  if (context.surroundings.source == Surroundings::Source::files)
    return {{.state = CheckState::skipped,
             .says = "with --from this machine is not looked at",
             .is_out_of_sight = true}};
  switch (context.surroundings.completion) {
    case Surroundings::Completion::installed:
      return {{.says = "kubectl_complete-gpu is on PATH, so Tab completes `kubectl gpu`"}};
    case Surroundings::Completion::missing:
      return {{.state = CheckState::skipped,
               .says = "Tab does not complete `kubectl gpu`: kubectl_complete-gpu is not on PATH",
               .help = "put it there, and make it executable",
               .command = "kubectl gpu completion kubectl > ~/.local/bin/kubectl_complete-gpu"}};
    case Surroundings::Completion::unknown:
      break;
  }
  return {{.state = CheckState::skipped, .says = "whether Tab completes is not known"}};
}

}  // namespace gpu::checkup
