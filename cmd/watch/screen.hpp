#pragma once

#include <string>
#include <vector>

#include "base/terminal_session.hpp"

namespace gpu::cmd {

/// Lines on a terminal that we have to ourselves: only those that changed are written.
class Screen {
 public:
  explicit Screen(TerminalSession& session) : session_(session) {}

  /// Shows `lines` from the top; what was below is cleared. False when the terminal is gone.
  [[nodiscard]] bool show(std::vector<std::string> lines);
  /// Somebody else wrote to the terminal, or it has another size: nothing that was shown counts.
  void forget() { is_known_ = false; }

 private:
  TerminalSession& session_;
  std::vector<std::string> shown_;
  bool is_known_ = false;
};

}  // namespace gpu::cmd
