#include "cmd/shell/env.hpp"

#include <chrono>
#include <iostream>
#include <string_view>

namespace gpu::cmd {
namespace {

constexpr int kStdin = 0;
constexpr int kStdout = 1;
constexpr int kStderr = 2;

/// kubectl runs `kubectl-gpu` for `kubectl gpu` (krew: `kubectl-gpu` through a link); any other
/// name is shown as it was called.
std::string program_name(std::string_view argv0) {
  const std::string_view name = argv0.substr(argv0.rfind('/') + 1);
  if (name.empty() || name.starts_with("kubectl-")) return "kubectl gpu";
  return std::string(name);
}

}  // namespace

Env Env::of_process(const char* argv0) {
  Environment environment = Environment::of_process();
  const auto out_terminal = terminal_size(kStdout, environment);
  const auto err_terminal = terminal_size(kStderr, environment);
  const auto in_terminal = terminal_size(kStdin, environment);
  return {
      .out = std::cout,
      .err = std::cerr,
      .environment = std::move(environment),
      .out_terminal = out_terminal,
      .err_terminal = err_terminal,
      .in_terminal = in_terminal,
      .now =
          [] { return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()); },
      .uptime =
          [] {
            return std::chrono::floor<std::chrono::milliseconds>(
                std::chrono::steady_clock::now().time_since_epoch());
          },
      .program = program_name(argv0 == nullptr ? "" : argv0)};
}

}  // namespace gpu::cmd
