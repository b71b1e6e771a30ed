#include "kube/signals.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "base/error.hpp"
#include "kube/client.hpp"

namespace gpu::kube {
namespace {

// What a signal handler may touch: nothing but these.
volatile std::sig_atomic_t signal_came = 0;
volatile std::sig_atomic_t wakeup_writer = -1;
int wakeup_reader = -1;

void on_signal(int /*number*/) {
  const int saved = errno;
  signal_came = 1;
  if (wakeup_writer >= 0) {
    const char byte = 1;
    [[maybe_unused]] const ssize_t written = ::write(wakeup_writer, &byte, 1);
  }
  errno = saved;
}

void open_wakeup_pipe() {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return;  // the flag alone still works, at the next wakeup
  for (const int end : ends) {
    ::fcntl(end, F_SETFD, FD_CLOEXEC);
    ::fcntl(end, F_SETFL, O_NONBLOCK);
  }
  wakeup_reader = ends[0];
  wakeup_writer = ends[1];
}

}  // namespace

void install_signal_handlers() {
  if (wakeup_reader < 0) open_wakeup_pipe();
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  // A second Ctrl-C finds the default action, so that the program can always be stopped.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  // `kubectl gpu top | head` ends quietly: whoever writes to stdout sees EPIPE instead.
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  sigemptyset(&ignore.sa_mask);
  ::sigaction(SIGPIPE, &ignore, nullptr);
}

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
