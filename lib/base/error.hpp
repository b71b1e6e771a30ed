#pragma once

#include <exception>
#include <string>

namespace gpu {

/// What went wrong, in the terms that decide the exit code and what can be advised.
enum class ErrorKind {
  usage,         ///< a flag, an argument, a file named on the command line
  config,        ///< kubeconfig or credentials cannot be used
  unreachable,   ///< no answer: refused, DNS, TLS, timeout
  unauthorized,  ///< the server does not know us (401)
  forbidden,     ///< the server knows us and says no (403)
  server,        ///< the server answered with an error
  data,          ///< an answer or file that is not what it should be
  interrupted,   ///< SIGINT or SIGTERM
  internal,      ///< a bug of ours
};

/// The one exception type: thrown where the outside world fails, caught once in main.
class Error : public std::exception {
 public:
  Error(ErrorKind kind, std::string message, std::string help = {});

  [[nodiscard]] ErrorKind kind() const { return kind_; }
  /// One line, no full stop. Starts with kubectl's own words where kubectl has words for it.
  [[nodiscard]] const std::string& message() const { return message_; }
  /// What to do next; may hold several lines, a command on a line of its own. May be empty.
  [[nodiscard]] const std::string& help() const { return help_; }
  [[nodiscard]] const char* what() const noexcept override { return message_.c_str(); }

 private:
  ErrorKind kind_;
  std::string message_;
  std::string help_;
};

/// The first line as printed: the message, after `error: ` unless it starts with one of kubectl's
/// own openings (`Error from server`, `Unable to connect to the server`, `The connection to the
/// server`, `Error in configuration`, `error: `).
std::string headline(const Error& error);

/// 2 (could not answer), or 130 for an interrupt.
int exit_code(ErrorKind kind);

}  // namespace gpu
