#pragma once

#include <chrono>
#include <memory>
#include <ostream>
#include <streambuf>
#include <string>

#include "cmd/shell/env.hpp"
#include "kube/read/needs.hpp"
#include "report/render.hpp"

namespace gpu::cmd {

/// The line on stderr that says how far reading has come: after 300 ms, and gone before anything
/// else is written there. Without a terminal, one that stays is written after 10 seconds and after
/// each further minute: nobody is to wonder what is waited for.
class Progress {
 public:
  /// `where` is who is read ("prod"); `style` is that of stderr.
  Progress(const Env& env, report::Style style, std::string where);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// Draws the line if it is time, and something changed.
  void show(const kube::Progress& progress);
  /// Takes the line away; it comes back with the next show().
  void erase();
  /// No line any more.
  void end();
  /// Nothing that others say reaches a terminal any more: somebody has it to himself.
  void mute() { is_muted_ = env_.err_terminal.has_value(); }
  void unmute() { is_muted_ = false; }
  /// stderr for others: what they write there does not meet the line.
  [[nodiscard]] std::ostream& log() { return log_; }

 private:
  /// Writes to stderr, the line being erased before.
  class Buffer : public std::streambuf {
   public:
    explicit Buffer(Progress& progress) : progress_(progress) {}

   protected:
    int_type overflow(int_type character) override;
    std::streamsize xsputn(const char* text, std::streamsize count) override;
    int sync() override;

   private:
    Progress& progress_;
  };

  [[nodiscard]] std::string text_of(const kube::Progress& progress) const;
  [[nodiscard]] static std::string counts_of(const kube::Progress& progress);
  void tell(const kube::Progress& progress);

  const Env& env_;
  report::Style style_;
  std::string where_;
  bool is_on_;
  bool is_muted_ = false;
  bool is_over_ = false;
  std::chrono::milliseconds next_;
  std::chrono::milliseconds next_told_;
  std::string shown_;
  Buffer buffer_{*this};
  std::ostream log_{&buffer_};
};

}  // namespace gpu::cmd
