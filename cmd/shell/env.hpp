#pragma once

#include <chrono>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>

#include "base/environment.hpp"
#include "base/terminal.hpp"
#include "base/time.hpp"

namespace gpu::cmd {

/// What a command may touch of the process it runs in, so that a test can give its own.
struct Env {
  std::ostream& out;
  std::ostream& err;
  Environment environment;
  std::optional<TerminalSize> out_terminal;  ///< nothing: stdout is not a terminal
  std::optional<TerminalSize> err_terminal;
  std::optional<TerminalSize> in_terminal;
  std::function<Time()> now;
  /// Since some moment, never set back: for what is shorter than a second.
  std::function<std::chrono::milliseconds()> uptime;
  std::string program;  ///< how help calls us: "kubectl gpu"

  static Env of_process(const char* argv0);
};

}  // namespace gpu::cmd
