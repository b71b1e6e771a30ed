#include "cmd/options/options.hpp"

#include <memory>
#include <ostream>
#include <string>

#include "cmd/options/man_page.hpp"
#include "cmd/shell/flags.hpp"
#include "cmd/shell/help.hpp"
#include "cmd/shell/metrics_flags.hpp"
#include "cmd/shell/output_forms.hpp"
#include "cmd/shell/run_command.hpp"

namespace gpu::cmd {
namespace {

/// The flags that many commands have, declared once more, to be printed.
struct CommonFlags {
  GlobalFlags global;
  MetricsFlags metrics;
  bool asks_for_help = false;
  FlagSet flags;

  CommonFlags() {
    add_metrics_flags(flags, metrics);
    add_format_flags(flags, global);
    add_screen_flags(flags, global);
    add_connection_flags(flags, global);
    add_help_flag(flags, asks_for_help);
  }
};

std::string text_of_common(const Flags& flags) {
  return "All commands that read a cluster have these flags.\n" +
         flags_under("Connection", FlagGroup::connection, flags) +
         flags_under("Output", FlagGroup::common, flags) +
         flags_under("Where live use is read (top, why-pending, doctor, cost, snapshot)",
                     FlagGroup::sources, flags);
}

struct OptionsFlags {
  GlobalFlags global;
  bool as_man_page = false;  ///< hidden: releases have the page as a file
};

BoundCommand bind_options(FlagSet& flags, Commands all) {
  auto typed = std::make_shared<OptionsFlags>();
  flags.toggle("--man", &typed->as_man_page);
  add_unused_connection_flags(flags, typed->global);
  return {.run = [typed, all](Env& env) {
    const CommonFlags common;
    env.out << (typed->as_man_page ? man_page(all, common.flags)
                                   : text_of_common(common.flags.all()));
    return 0;
  }};
}

}  // namespace

const Command kOptions = {
    .info = {.name = "options",
             .usage = "options",
             .summary = "Print the flags that all commands have",
             .examples = "options"},
    .bind = bind_options,
};

}  // namespace gpu::cmd
