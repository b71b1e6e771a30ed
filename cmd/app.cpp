#include "cmd/app.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <new>
#include <ostream>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cmd/completion/complete.hpp"
#include "cmd/completion/completion.hpp"
#include "cmd/connection/connection.hpp"
#include "cmd/cost/cost.hpp"
#include "cmd/doctor/doctor.hpp"
#include "cmd/fit/fit.hpp"
#include "cmd/gen/gen.hpp"
#include "cmd/lint/lint.hpp"
#include "cmd/options/options.hpp"
#include "cmd/quota/quota.hpp"
#include "cmd/shell/aliases.hpp"
#include "cmd/shell/argv.hpp"
#include "cmd/shell/flags.hpp"
#include "cmd/shell/output_forms.hpp"
#include "cmd/shell/run_command.hpp"
#include "cmd/snapshot/snapshot.hpp"
#include "cmd/top/top.hpp"
#include "cmd/version/version.hpp"
#include "cmd/why_pending/why_pending.hpp"
#include "kube/process/signals.hpp"
#include "report/render.hpp"

namespace gpu::cmd {
namespace {

constexpr std::array kCommands = {
    &kTop,    &kWhyPending, &kQuota,      &kGen,     &kLint,    &kFit,      &kCost,
    &kDoctor, &kSnapshot,   &kCompletion, &kOptions, &kVersion, &kComplete, &kConnection,
};

std::string overview(std::string_view program) {
  std::string text = fmt::format(
      "See who holds your GPUs, why pods wait for them, and what no one can use.\n"
      "Reads the cluster, never writes to it.\n\nUsage:\n  {} COMMAND [flags]\n\nCommands:\n",
      program);
  for (const Command* command : kCommands)
    if (command->visibility == Visibility::listed)
      text += fmt::format("  {:<13}{}\n", command->info.name, command->info.summary);
  text += fmt::format("\nMore: {} COMMAND --help\n", program);
  return text;
}

Error unknown_command(const std::string& word, std::string_view program) {
  std::vector<std::string_view> names;
  for (const Command* command : kCommands)
    if (command->visibility == Visibility::listed) names.push_back(command->info.name);
  std::string help = fmt::format("see all commands\n      {} --help", program);
  if (const auto nearest = nearest_name(word, names))
    help = fmt::format("a similar one is `{}`", *nearest);
  else if (const auto meant = nearest_alias(word))
    help = fmt::format("a similar one is `{}`", *meant);
  return {ErrorKind::usage, fmt::format("there is no command `{} {}`", program, word), help};
}

/// The words before the command may be flags; it does not matter whose.
int dispatch(const Words& typed, Env& env) {
  if (!typed.empty() && typed.front() == "--version")
    return run_command(kVersion, {}, kCommands, env);
  FlagSet flags;
  GlobalFlags unused;
  bool asks = false;
  add_format_flags(flags, unused);
  add_screen_flags(flags, unused);
  add_connection_flags(flags, unused);
  add_help_flag(flags, asks);
  Words words = without_alias(typed, command_position(typed, flags.all()));
  std::size_t at = command_position(words, flags.all());
  const bool asks_for_help = at < words.size() && words[at] == "help";
  if (asks_for_help) words = without_alias(words, ++at);
  if (at >= words.size()) {
    env.out << overview(env.program);
    return 0;
  }
  for (const Command* command : kCommands) {
    if (command->info.name != words[at]) continue;
    Words others = words;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(at));
    if (asks_for_help) {
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(at - 1));
      others.emplace_back("--help");
    }
    return run_command(*command, others, kCommands, env);
  }
  throw unknown_command(words[at], env.program);
}

/// Flags may be what is wrong, so only the plainest of them are looked for.
report::Style error_style(const Words& words, const Env& env) {
  const auto has = [&](std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  ColorChoice color = ColorChoice::automatic;
  if (has("--color=always")) color = ColorChoice::always;
  if (has("--color=never") || has("--no-color")) color = ColorChoice::never;
  report::Style style;
  if (env.err_terminal) style.width = env.err_terminal->columns;
  style.color = wants_color(color, env.err_terminal.has_value(), env.environment);
  style.utf8 = !has("--ascii") && is_utf8_locale(env.environment);
  return style;
}

/// An answer that did not arrive whole is no answer. A reader that left early (`| head`) has what
/// it wanted.
void finish_output(Env& env) {
  const bool was_lost = !env.out.good();
  if (was_lost) env.out.clear();  // what is left is tried again, to learn why
  errno = 0;
  env.out.flush();
  const bool is_lost = was_lost || !env.out.good();
  if (!is_lost || errno == EPIPE || kube::is_reader_gone()) return;
  const std::string why = errno == 0 ? "" : fmt::format(": {}", std::strerror(errno));
  throw Error(ErrorKind::data, "the answer could not be written" + why);
}

int interrupted(const Words& words, Env& env) {
  env.out.flush();
  env.err << report::render_error("error: interrupted", "", error_style(words, env));
  return exit_code(ErrorKind::interrupted);
}

}  // namespace

Commands all_commands() { return kCommands; }

int run(const Words& words, Env& env) {
  try {
    const int code = dispatch(words, env);
    finish_output(env);
    return code;
  } catch (const Error& error) {
    // What fails since a signal came (opening a pipe, reading it) is no fault of what was asked.
    if (kube::interrupted() && error.kind() != ErrorKind::interrupted)
      return interrupted(words, env);
    env.out.flush();
    env.err << report::render_error(headline(error), error.help(), error_style(words, env));
    return exit_code(error.kind());
  } catch (const std::bad_alloc&) {
    env.err << report::render_error(
        "error: not enough memory",
        "request less (-n NAMESPACE, -l LABEL, names of nodes), or give it more: ulimit -v, the "
        "limit of the container",
        error_style(words, env));
    return exit_code(ErrorKind::data);
  } catch (const std::exception& error) {
    env.err << report::render_error(
        fmt::format("error: a bug in kubectl-gpu v{}: {}", KUBECTL_GPU_VERSION, error.what()),
        "please report it, with the command", error_style(words, env));
    return exit_code(ErrorKind::internal);
  }
}

}  // namespace gpu::cmd
