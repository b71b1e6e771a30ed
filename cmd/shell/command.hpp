#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/shell/env.hpp"
#include "report/schema.hpp"

namespace gpu::cmd {

class FlagSet;

using Words = std::vector<std::string>;

/// What help says of a command besides its flags.
struct CommandInfo {
  std::string_view name;      ///< "top"
  std::string_view usage;     ///< "top [nodes] [NAME...]"
  std::string_view summary;   ///< one line, no full stop
  std::string_view examples;  ///< lines "WORDS  # why", without the program's name
};

/// A command whose flags are declared, and bound to what outlives it.
struct BoundCommand {
  /// Runs it once its flags are read; the exit code. Throws Error.
  std::function<int(Env& env)> run;
  /// Its help once its flags are read; empty where that is the same whatever was typed.
  std::function<std::string(FlagSet& flags, std::string_view program)> help = {};
};

/// Whether help and completion name a command.
enum class Visibility { listed, hidden };

struct Command;
/// All commands, in the order of help.
using Commands = std::span<const Command* const>;

/// A subcommand, declared once, in the folder of its name.
struct Command {
  CommandInfo info;
  Visibility visibility = Visibility::listed;
  /// Declares its flags and words; `all` is for commands about commands.
  BoundCommand (*bind)(FlagSet& flags, Commands all);
  /// What its -o json holds, for docs/schema; null where it answers no JSON.
  std::vector<report::AnswerForm> (*answers)() = nullptr;
};

/// Command::bind of a command that keeps what is typed in Options: `declare` binds the flags to it,
/// and `run` is given it once they are read.
template <class Options, void (*declare)(FlagSet&, Options&), int (*run)(Options&, Env&)>
BoundCommand bound(FlagSet& flags, Commands /*all*/) {
  auto options = std::make_shared<Options>();
  declare(flags, *options);
  return {.run = [options](Env& env) { return run(*options, env); }};
}

}  // namespace gpu::cmd
