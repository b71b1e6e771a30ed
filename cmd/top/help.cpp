#include "cmd/top/help.hpp"

#include <fmt/format.h>

#include "base/phrase.hpp"
#include "cmd/shell/help.hpp"
#include "cmd/top/view.hpp"

namespace gpu::cmd {

std::string top_help(FlagSet& flags, const TopFlags& typed, const CommandInfo& info,
                     std::string_view program) {
  if (typed.words.empty()) {
    const std::string usage = fmt::format("top [{}] [NAME...]", joined(view_names(), "|"));
    CommandInfo of_all = info;
    of_all.usage = usage;
    return help_text(of_all, flags.all(), program) +
           fmt::format("\nOne view's own: {} top gpus --help\n", program);
  }
  const ViewSpec& view = view_typed(typed.words.front(), program);
  for (const std::string_view flag : view.flags_without) flags.at(flag).in(FlagGroup::hidden);
  flags.at("--selector").help(view.about == About::pods ? "labels of pods" : "labels of nodes");
  flags.at("--sort-by").help(std::string(view.sort_help));
  return help_text(view.help, flags.all(), program);
}

}  // namespace gpu::cmd
