#pragma once

#include <chrono>

namespace gpu::kube {

/// SIGINT, SIGTERM, SIGHUP and SIGQUIT set a flag that fetch() looks at; SIGPIPE and SIGXFSZ are
/// ignored: a write fails instead. Call once, early.
void install_signal_handlers();

/// True once one of these came after install_signal_handlers().
bool interrupted();

/// Throws Error{interrupted} when interrupted().
void throw_if_interrupted();

/// For completion in a shell, while someone types: neither this program nor one that it runs writes
/// to stderr any more, and after `limit` the process ends.
void be_quick_and_silent(std::chrono::seconds limit);

/// The notices since the last take_notices(), while TerminalSignals exists.
struct Notices {
  bool resized = false;     ///< the terminal has another size
  bool stop_asked = false;  ///< Ctrl-Z
  bool continued = false;
};
Notices take_notices();

/// For a program that has the terminal to itself: while it lives, SIGWINCH, SIGTSTP and SIGCONT
/// give notices, and `last_words` runs before a second signal, or one that ends every process at
/// once (SIGSEGV, SIGUSR1), ends this one. Only one at a time.
class TerminalSignals {
 public:
  /// `last_words` runs in a signal handler.
  explicit TerminalSignals(void (*last_words)());
  TerminalSignals(const TerminalSignals&) = delete;
  TerminalSignals& operator=(const TerminalSignals&) = delete;
  ~TerminalSignals();
};

/// Stops the process as Ctrl-Z does by default; returns when it is continued.
void stop_as_asked();

/// A descriptor that is readable while there are notices, for poll(); -1 without TerminalSignals.
int notice_descriptor();

/// A descriptor that becomes readable when a signal comes, for poll(); -1 without handlers. Never
/// read from it: it stays readable.
int interrupt_descriptor();

/// Whether stdout is a pipe that no process reads any more (`| head`), whatever was written last.
bool is_reader_gone();

}  // namespace gpu::kube
