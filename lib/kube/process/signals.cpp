#include "kube/process/signals.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>

#include "base/error.hpp"

namespace gpu::kube {
namespace {

// What a signal handler may touch: nothing but these.
volatile std::sig_atomic_t signal_came = 0;
volatile std::sig_atomic_t wakeup_writer = -1;
volatile std::sig_atomic_t resized = 0;
volatile std::sig_atomic_t stop_asked = 0;
volatile std::sig_atomic_t continued = 0;
volatile std::sig_atomic_t notice_writer = -1;
using LastWords = void (*)();
std::atomic<LastWords> last_words = nullptr;
static_assert(std::atomic<LastWords>::is_always_lock_free);
int wakeup_reader = -1;
int notice_reader = -1;

/// Those by which people and systems end a process.
constexpr std::array<int, 4> kEnding = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
/// Those that end it at once.
constexpr std::array<int, 10> kFatal = {SIGABRT, SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,
                                        SIGSYS,  SIGTRAP, SIGUSR1, SIGUSR2, SIGXCPU};

void wake(int writer) {
  if (writer < 0) return;
  const char byte = 1;
  [[maybe_unused]] const ssize_t written = ::write(writer, &byte, 1);
}

void on_signal(int /*number*/) {
  const int saved = errno;
  signal_came = 1;
  wake(wakeup_writer);
  errno = saved;
}

/// As on_signal(); the second time, the terminal is given back and the process ends.
void on_signal_with_terminal(int number) {
  if (signal_came == 0) return on_signal(number);
  if (const LastWords speak = last_words) speak();
  ::signal(number, SIG_DFL);
  ::raise(number);
}

/// The terminal is given back, and the process ends as it would have.
void on_fatal(int number) {
  if (const LastWords speak = last_words) speak();
  ::signal(number, SIG_DFL);
  ::raise(number);
}

void on_notice(int number) {
  const int saved = errno;
  if (number == SIGWINCH) resized = 1;
  if (number == SIGTSTP) stop_asked = 1;
  if (number == SIGCONT) continued = 1;
  wake(notice_writer);
  errno = saved;
}

struct Pipe {
  int reader = -1;
  int writer = -1;
};

/// Without it the flags alone still work, at the next wakeup.
Pipe open_pipe() {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return {};
  for (const int end : ends) {
    ::fcntl(end, F_SETFD, FD_CLOEXEC);
    ::fcntl(end, F_SETFL, O_NONBLOCK);
  }
  return {ends[0], ends[1]};
}

void handle(int number, void (*handler)(int), unsigned flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(flags);
  ::sigaction(number, &action, nullptr);
}

bool take(volatile std::sig_atomic_t& flag) {
  const bool was_set = flag != 0;
  flag = 0;
  return was_set;
}

using Handler = void (*)(int);

Handler handler_of(int number) {
  struct sigaction now {};
  return ::sigaction(number, nullptr, &now) == 0 ? now.sa_handler : SIG_IGN;
}

/// Whoever started us with nohup means it.
bool is_ignored(int number) { return handler_of(number) == SIG_IGN; }

}  // namespace

void install_signal_handlers() {
  if (wakeup_reader < 0) {
    const Pipe pipe = open_pipe();
    wakeup_reader = pipe.reader;
    wakeup_writer = pipe.writer;
  }
  // A second Ctrl-C finds the default action, so that the program can always be stopped.
  for (const int number : kEnding)
    if (number == SIGINT || !is_ignored(number)) handle(number, on_signal, SA_RESETHAND);
  // `kubectl gpu top | head` ends quietly: whoever writes to stdout sees EPIPE instead.
  handle(SIGPIPE, SIG_IGN, 0);
  // A file that may not grow (ulimit -f) is told as a full disk is, and what was begun is removed.
  handle(SIGXFSZ, SIG_IGN, 0);
}

bool is_reader_gone() {
  pollfd output{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  return ::poll(&output, 1, 0) > 0 && (output.revents & (POLLERR | POLLHUP)) != 0;
}

Notices take_notices() {
  std::array<char, 64> bytes{};
  while (notice_reader >= 0 && ::read(notice_reader, bytes.data(), bytes.size()) > 0) {
  }
  // The pipe first: what comes in between is then found again at the next call.
  return {.resized = take(resized), .stop_asked = take(stop_asked), .continued = take(continued)};
}

TerminalSignals::TerminalSignals(void (*words)()) {
  if (notice_reader < 0) {
    const Pipe pipe = open_pipe();
    notice_reader = pipe.reader;
    notice_writer = pipe.writer;
  }
  last_words = words;
  for (const int number : kEnding)
    if (!is_ignored(number)) handle(number, on_signal_with_terminal, 0);
  for (const int number : kFatal)
    if (handler_of(number) == SIG_DFL) handle(number, on_fatal, 0);
  for (const int number : {SIGWINCH, SIGCONT}) handle(number, on_notice, SA_RESTART);
  if (!is_ignored(SIGTSTP)) handle(SIGTSTP, on_notice, SA_RESTART);
}

TerminalSignals::~TerminalSignals() {
  for (const int number : {SIGWINCH, SIGCONT}) handle(number, SIG_DFL, 0);
  if (!is_ignored(SIGTSTP)) handle(SIGTSTP, SIG_DFL, 0);
  for (const int number : kEnding)
    if (!is_ignored(number)) handle(number, on_signal, SA_RESETHAND);
  for (const int number : kFatal)
    if (handler_of(number) == on_fatal) handle(number, SIG_DFL, 0);
  last_words = nullptr;
}

void stop_as_asked() {
  handle(SIGTSTP, SIG_DFL, 0);
  ::raise(SIGTSTP);
  handle(SIGTSTP, on_notice, SA_RESTART);
}

int notice_descriptor() { return notice_reader; }

bool interrupted() { return signal_came != 0; }

void throw_if_interrupted() {
  if (interrupted()) throw Error(ErrorKind::interrupted, "interrupted");
}

int interrupt_descriptor() { return wakeup_reader; }

void be_quick_and_silent(std::chrono::seconds limit) {
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) {
    ::dup2(nowhere, STDERR_FILENO);
    ::close(nowhere);
  }
  ::alarm(static_cast<unsigned>(limit.count()));  // SIGALRM ends a process that does not handle it
}

}  // namespace gpu::kube
