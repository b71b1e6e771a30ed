#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/shell/env.hpp"
#include "cmd/shell/help.hpp"

namespace gpu::cmd {

using Words = std::vector<std::string>;

/// A subcommand. Only what works stands in the table that help prints.
struct Command {
  const CommandInfo& info;
  bool hidden;
  /// Runs it on all words but its own name; the exit code. Throws Error.
  int (*run)(const Words& words, Env& env);
};

/// All subcommands, in the order of help.
std::span<const Command> commands();

/// The whole program: finds the subcommand, runs it, and turns an Error into two lines on stderr
/// and its exit code.
int run(const Words& words, Env& env);

// One for each subcommand, in the file of its name.
extern const CommandInfo kTop;
int run_top(const Words& words, Env& env);
extern const CommandInfo kWhyPending;
int run_why_pending(const Words& words, Env& env);
extern const CommandInfo kSnapshot;
int run_snapshot(const Words& words, Env& env);
extern const CommandInfo kCompletion;
int run_completion(const Words& words, Env& env);
extern const CommandInfo kVersion;
int run_version(const Words& words, Env& env);
extern const CommandInfo kComplete;
int run_complete(const Words& words, Env& env);
extern const CommandInfo kConnection;
int run_connection(const Words& words, Env& env);

}  // namespace gpu::cmd
