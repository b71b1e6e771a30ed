#include "cmd/options/man_page.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "cmd/shell/flags.hpp"

namespace gpu::cmd {
namespace {

/// `text` as troff prints it: no letter of it is a command, and a dash is the one of a keyboard.
std::string roff(std::string_view text) {
  std::string out;
  if (text.starts_with('.') || text.starts_with('\'')) out += "\\&";
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

std::string roff_section(std::string_view title, std::string_view text) {
  return fmt::format(".SH {}\n{}\n", title, roff(text));
}

/// A paragraph with a term before it.
std::string roff_item(std::string_view term, std::string_view text) {
  return fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(term), roff(text));
}

std::string flag_term(const Flag& flag) {
  return (flag.letter() ? fmt::format("-{}, ", *flag.letter()) : "") + flag.shown();
}

bool is_common(FlagGroup group) {
  return group == FlagGroup::common || group == FlagGroup::sources ||
         group == FlagGroup::connection;
}

std::string roff_command(const Command& command, Commands all) {
  FlagSet flags;
  const BoundCommand bound = command.bind(flags, all);
  std::string text = fmt::format(".SS \"kubectl gpu {}\"\n{}.\n", roff(command.info.usage),
                                 roff(command.info.summary));
  for (const Flag& flag : flags.all())
    if (flag.is_listed() && !is_common(flag.group()))
      text += roff_item(flag_term(flag), flag.description());
  text += ".PP\nExamples:\n.PP\n.nf\n";
  for (const std::string_view line : lines_of(command.info.examples))
    text += fmt::format("kubectl gpu {}\n", roff(line));
  return text + ".fi\n";
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kVariables = {
    {{"KUBECONFIG", "kubeconfig files, as for kubectl"},
     {"KUBECTL_GPU_PROMETHEUS_URL", "the default of --prometheus-url"},
     {"KUBECTL_GPU_PROMETHEUS_TOKEN", "bearer token for Prometheus"},
     {"KUBECTL_GPU_COLOR", "the default of --color"},
     {"NO_COLOR", "if set, no color"},
     {"COLUMNS", "width of the terminal"}}};

}  // namespace

std::string man_page(Commands all, const FlagSet& common) {
  std::string text = fmt::format(
      ".TH KUBECTL\\-GPU 1 \"\" \"kubectl\\-gpu v{}\" \"User Commands\"\n", KUBECTL_GPU_VERSION);
  text += roff_section("NAME", "kubectl-gpu - show who holds GPUs, and why pods wait for them");
  text += ".SH SYNOPSIS\n.B kubectl gpu\nCOMMAND [flags]\n";
  text += roff_section("DESCRIPTION",
                       "kubectl-gpu is a plugin of kubectl. It reads the cluster, and never writes "
                       "to it.");
  text += ".SH COMMANDS\n";
  for (const Command* command : all)
    if (command->visibility == Visibility::listed) text += roff_command(*command, all);
  text += ".SH \"FLAGS OF ALL COMMANDS\"\n";
  for (const Flag& flag : common.all())
    if (flag.is_listed() && is_common(flag.group()))
      text += roff_item(flag_term(flag), flag.description());
  text += ".SH ENVIRONMENT\n";
  for (const auto& [name, says] : kVariables) text += roff_item(name, says);
  text += ".SH \"EXIT STATUS\"\n" + roff_item("0", "The question is answered.") +
          roff_item("1", "The question is answered, and something is wrong.") +
          roff_item("2", "The question could not be answered.");
  return text + roff_section("SEE ALSO", "kubectl(1)");
}

}  // namespace gpu::cmd
