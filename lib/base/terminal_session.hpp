#pragma once

#include <string>
#include <string_view>

namespace gpu {

/// The whole terminal for as long as it lives: the alternate screen, no echo, keys as they are
/// typed, no cursor, no wrapping. Ctrl-C and Ctrl-Z stay signals. Only one at a time.
class TerminalSession {
 public:
  /// Keys are read from `input`, or if that is no terminal from `output`, which has to be one.
  TerminalSession(int input, int output);
  TerminalSession(const TerminalSession&) = delete;
  TerminalSession& operator=(const TerminalSession&) = delete;
  ~TerminalSession();

  /// Gives the terminal back, for a stop or somebody's question; resume() takes it again.
  void suspend();
  void resume();
  [[nodiscard]] bool is_suspended() const { return is_suspended_; }

  /// Where keys come from, for poll(); -1 when there are none.
  [[nodiscard]] int descriptor() const { return input_; }
  /// What was typed since the last call, as the terminal sends it.
  [[nodiscard]] std::string read_keys();
  /// Writes to the screen. False when the terminal is gone.
  [[nodiscard]] bool write(std::string_view text) const;

  /// Gives the terminal back from within a signal handler.
  static void give_back() noexcept;

 private:
  int input_;
  int output_;
  bool is_suspended_ = true;
};

}  // namespace gpu
