#include "cmd/app.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <ostream>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cmd/argv.hpp"
#include "cmd/flags.hpp"
#include "report/render.hpp"

namespace gpu::cmd {
namespace {

constexpr std::array<Command, 5> kCommands = {{
    {kTop, false, run_top},
    {kCompletion, false, run_completion},
    {kVersion, false, run_version},
    {kComplete, true, run_complete},
    {kConnection, true, run_connection},
}};

std::string overview(std::string_view program) {
  std::string text = fmt::format(
      "See who holds your GPUs, why pods wait for them, and what they cost.\n"
      "Reads the cluster, never writes to it.\n\nUsage:\n  {} COMMAND [flags]\n\nCommands:\n",
      program);
  for (const Command& command : kCommands)
    if (!command.hidden)
      text += fmt::format("  {:<12}{}\n", command.info.name, command.info.summary);
  text += fmt::format("\nMore: {} COMMAND --help\n", program);
  return text;
}

Error unknown_command(const std::string& word, std::string_view program) {
  std::vector<std::string_view> names;
  for (const Command& command : kCommands)
    if (!command.hidden) names.push_back(command.info.name);
  std::string help = fmt::format("see all commands\n      {} --help", program);
  if (const auto nearest = nearest_name(word, names))
    help = fmt::format("a similar one is `{}`", *nearest);
  return {ErrorKind::usage, fmt::format("there is no command `{} {}`", program, word), help};
}

/// The words before the command may be flags; it does not matter whose.
int dispatch(const Words& words, Env& env) {
  CLI::App all_flags;
  GlobalFlags flags;
  add_connection_flags(all_flags, flags);
  add_output_flags(all_flags, flags);
  const std::size_t at = command_position(words, all_flags);
  if (at >= words.size() || words[at] == "help") {
    Words rest(words.begin() + static_cast<std::ptrdiff_t>(std::min(at + 1, words.size())),
               words.end());
    if (rest.empty()) {
      env.out << overview(env.program);
      return 0;
    }
    rest.emplace_back("--help");
    return dispatch(rest, env);
  }
  for (const Command& command : kCommands) {
    if (command.info.name != words[at]) continue;
    Words others = words;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(at));
    return command.run(others, env);
  }
  throw unknown_command(words[at], env.program);
}

/// Flags may be what is wrong, so errors are drawn by the environment alone.
report::Style error_style(const Env& env) {
  report::Style style;
  if (env.err_terminal) style.width = env.err_terminal->columns;
  style.color = wants_color(ColorChoice::automatic, env.err_terminal.has_value(), env.environment);
  style.utf8 = is_utf8_locale(env.environment);
  return style;
}

}  // namespace

std::span<const Command> commands() { return kCommands; }

int run(const Words& words, Env& env) {
  try {
    const int code = dispatch(words, env);
    env.out.flush();
    return code;
  } catch (const Error& error) {
    env.out.flush();
    env.err << report::render_error(headline(error), error.help(), error_style(env));
    return exit_code(error.kind());
  } catch (const std::exception& error) {
    env.err << report::render_error(
        fmt::format("error: a bug in kubectl-gpu v{}: {}", KUBECTL_GPU_VERSION, error.what()),
        "please report it, with the command", error_style(env));
    return exit_code(ErrorKind::internal);
  }
}

}  // namespace gpu::cmd
