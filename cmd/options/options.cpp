#include "cmd/options/options.hpp"

#include <ostream>

#include "cmd/shell/flags.hpp"
#include "cmd/shell/help.hpp"
#include "cmd/shell/metrics_flags.hpp"
#include "cmd/shell/output_forms.hpp"
#include "cmd/shell/run_command.hpp"

namespace gpu::cmd {
namespace {

/// The flags that many commands have, declared once more, to be printed.
std::string common_flags() {
  FlagSet flags;
  GlobalFlags global;
  MetricsFlags metrics;
  bool asks_for_help = false;
  add_metrics_flags(flags, metrics);
  add_format_flags(flags, global);
  add_screen_flags(flags, global);
  add_connection_flags(flags, global);
  add_help_flag(flags, asks_for_help);
  return "All commands that read a cluster have these flags.\n" +
         flags_under("Connection", FlagGroup::connection, flags.all()) +
         flags_under("Output", FlagGroup::common, flags.all()) +
         flags_under("Where live use is read (top, why-pending, doctor, cost, snapshot)",
                     FlagGroup::sources, flags.all());
}

int run_options(GlobalFlags& /*flags*/, Env& env) {
  env.out << common_flags();
  return 0;
}

}  // namespace

const Command kOptions = {
    .info = {.name = "options",
             .usage = "options",
             .summary = "Print the flags that all commands have",
             .examples = "options"},
    .bind = bound<GlobalFlags, add_unused_connection_flags, run_options>,
};

}  // namespace gpu::cmd
