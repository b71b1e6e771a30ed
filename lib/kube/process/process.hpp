#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/environment.hpp"

namespace gpu::kube {

/// Where a child's standard input comes from.
enum class ChildInput { none, ours };

/// Where a child's standard error goes.
enum class ChildErrors { ours, collected };

/// A program to run; no shell is involved.
struct ProcessRequest {
  std::string program;                 ///< a path
  std::vector<std::string> arguments;  ///< without the program's own name
  std::map<std::string, std::string, std::less<>> environment;
  ChildInput input = ChildInput::none;
  std::size_t output_limit = std::size_t{1} << 20;
  ChildErrors errors = ChildErrors::ours;
  /// The program is ended after this time; nothing: no limit.
  std::optional<std::chrono::milliseconds> time_limit = {};
  /// Called once when it has run for so long.
  std::chrono::milliseconds slow_after = {};
  std::function<void()> on_slow = {};
};

/// How it went.
struct ProcessResult {
  int start_error = 0;  ///< errno when it could not be started
  int exit_code = 0;    ///< -1 when a signal ended it
  std::string output;   ///< its standard output
  std::string errors;   ///< the first 64 KiB of its standard error, when collected
  bool too_much_output = false;
  bool is_late = false;  ///< it was ended when its time was over
};

/// Runs a program to its end and collects its standard output. It inherits only the standard file
/// descriptors. On SIGINT or SIGTERM, ends the child and throws Error{interrupted}. Leaves no
/// zombie. May be called from several threads.
ProcessResult run_process(const ProcessRequest& request);

/// The path of `name` by PATH; nothing if it is not found. As in Go, a program in the working
/// directory does not count if PATH leads there.
std::optional<std::string> program_in_path(const std::string& name, const Environment& environment);

}  // namespace gpu::kube
