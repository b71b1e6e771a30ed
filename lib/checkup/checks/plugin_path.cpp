#include <fmt/format.h>

#include "checkup/checks/check.hpp"

namespace gpu::checkup {

CheckResults check_plugin_path(const CheckContext& context) {
  if (context.surroundings.source == Surroundings::Source::files)
    return {{.state = CheckState::skipped,
             .says = "with --from this machine is not looked at",
             .is_out_of_sight = true}};
  CheckResults results;
  for (const HidingProgram& each : context.surroundings.hiding)
    results.push_back(
        {.state = CheckState::warning,
         .says = fmt::format("{} runs instead of `kubectl gpu {}`", each.path, each.command),
         .help = "with the dash it is always ours; or remove that file",
         .command = "kubectl-gpu " + each.command});
  if (results.empty()) return {{.says = "no other program on PATH runs instead of our commands"}};
  return results;
}

}  // namespace gpu::checkup
