#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace gpu::kube {

/// Where a child's standard input comes from.
enum class ChildInput { none, ours };

/// A program to run; no shell is involved.
struct ProcessRequest {
  std::string program;                 ///< a path
  std::vector<std::string> arguments;  ///< without the program's own name
  std::map<std::string, std::string, std::less<>> environment;
  ChildInput input = ChildInput::none;
  std::size_t output_limit = std::size_t{1} << 20;
};

/// How it went.
struct ProcessResult {
  int start_error = 0;  ///< errno when it could not be started
  int exit_code = 0;    ///< -1 when a signal ended it
  std::string output;   ///< its standard output
  bool too_much_output = false;
};

/// Runs a program to its end and collects its standard output; standard error is ours. On SIGINT or
/// SIGTERM the child is ended and Error{interrupted} thrown. Leaves no zombie.
ProcessResult run_process(const ProcessRequest& request);

}  // namespace gpu::kube
