#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

namespace gpu::cmd {

/// What help says of a command besides its flags.
struct CommandInfo {
  std::string_view name;      ///< "top"
  std::string_view usage;     ///< "top [nodes] [NAME...]"
  std::string_view summary;   ///< one line, no full stop
  std::string_view examples;  ///< lines "WORDS  # why", without the program's name
};

/// The help of one command: what it does, examples, then its flags in groups. `program` is how we
/// are called ("kubectl gpu").
std::string help_text(const CommandInfo& info, const CLI::App& app, std::string_view program);

}  // namespace gpu::cmd
