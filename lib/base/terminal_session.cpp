#include "base/terminal_session.hpp"

#include <termios.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>

namespace gpu {
namespace {

// Alternate screen, cursor, wrapping: all of them words of xterm that others have learned.
constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[H\x1b[2J";
constexpr std::string_view kLeave = "\x1b[?7h\x1b[?25h\x1b[0m\x1b[?1049l";

// What give_back() needs: written before is_taken is set, and not while it is.
std::atomic<bool> is_taken = false;
static_assert(std::atomic<bool>::is_always_lock_free);
int taken_input = -1;
int taken_output = -1;
termios as_it_was{};

/// Only what a signal handler may call.
bool write_all(int output, std::string_view text) noexcept {
  // A terminal that takes nothing for that long is stopped (Ctrl-S) or gone.
  constexpr int kMostRefusals = 1000;
  int refusals = 0;
  while (!text.empty()) {
    const ssize_t written = ::write(output, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN || errno == EINTR) {
      if (++refusals > kMostRefusals) return false;
      ::usleep(1000);
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

void TerminalSession::give_back() noexcept {
  if (!is_taken.exchange(false)) return;
  write_all(taken_output, kLeave);
  if (taken_input >= 0) ::tcsetattr(taken_input, TCSAFLUSH, &as_it_was);
}

TerminalSession::TerminalSession(int input, int output)
    // With stdin from a file, the terminal that is written to can be read as well.
    : input_(::isatty(input) != 0 ? input : output), output_(output) {
  resume();
}

TerminalSession::~TerminalSession() { suspend(); }

void TerminalSession::suspend() {
  give_back();
  is_suspended_ = true;
}

void TerminalSession::resume() {
  if (!is_suspended_) return;
  taken_input = input_;
  taken_output = output_;
  if (input_ >= 0 && ::tcgetattr(input_, &as_it_was) != 0) input_ = taken_input = -1;
  is_taken = true;
  is_suspended_ = false;
  if (input_ >= 0) {
    termios raw = as_it_was;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | IEXTEN);
    raw.c_iflag &= ~static_cast<tcflag_t>(IXON | ICRNL);
    raw.c_cc[VMIN] = 0;  // read() never waits
    raw.c_cc[VTIME] = 0;
    ::tcsetattr(input_, TCSADRAIN, &raw);
  }
  write_all(output_, kEnter);
}

std::string TerminalSession::read_keys() {
  // While somebody else has the terminal, a read would wait for a whole line.
  if (input_ < 0 || is_suspended_) return {};
  std::array<char, 256> bytes{};
  const ssize_t count = ::read(input_, bytes.data(), bytes.size());
  // The end of input: nobody types any more, and the descriptor would stay readable.
  if (count < 0 && errno != EAGAIN && errno != EINTR) input_ = -1;
  return count > 0 ? std::string(bytes.data(), static_cast<std::size_t>(count)) : std::string();
}

bool TerminalSession::write(std::string_view text) const { return write_all(output_, text); }

}  // namespace gpu
