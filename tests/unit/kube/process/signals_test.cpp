#include "kube/process/signals.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <thread>

#include "kube/http/client.hpp"
#include "kube/http_stub.hpp"
#include "kube/process/signals.hpp"

namespace process_signals_test {

using namespace std::chrono_literals;

namespace {

/// Exit code of a child that does `act`: signals and their handlers belong to a process.
int child_code(const std::function<int()>& act) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(act());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

int interrupted_fetch(const std::string& url) {
  gpu::kube::install_signal_handlers();
  gpu::kube::Connection connection;
  connection.server = url;
  gpu::kube::Client client(connection, gpu::Environment(), {});
  // Another process sends it: the child of a program with threads may not be able to start one.
  const pid_t self = ::getpid();
  const pid_t sender = ::fork();
  if (sender == 0) {
    std::this_thread::sleep_for(200ms);
    ::_exit(::kill(self, SIGINT));
  }
  const auto start = std::chrono::steady_clock::now();
  try {
    gpu::kube::Request request;
    request.path = "/";
    client.fetch(request);
  } catch (const gpu::Error& error) {
    const bool soon = std::chrono::steady_clock::now() - start < 3s;
    ::waitpid(sender, nullptr, 0);
    return error.kind() == gpu::ErrorKind::interrupted && soon ? 0 : 2;
  }
  return 1;
}

}  // namespace

TEST_CASE("SIGINT ends a fetch at once, long before it would give up") {
  HttpStub stub([](const std::string&, int) { return std::string(); });
  CHECK(child_code([&] { return interrupted_fetch(stub.url()); }) == 0);
}

TEST_CASE("a signal sets the flag, a second one ends the process") {
  CHECK(child_code([] {
          gpu::kube::install_signal_handlers();
          if (gpu::kube::interrupted()) return 1;
          std::raise(SIGTERM);
          return gpu::kube::interrupted() ? 0 : 2;
        }) == 0);
  CHECK(child_code([] {
          gpu::kube::install_signal_handlers();
          std::raise(SIGINT);
          std::raise(SIGINT);
          return 0;
        }) == 100 + SIGINT);
}

TEST_CASE("a closed terminal and Ctrl-\\ are asked to wait for the end, as SIGTERM is") {
  for (const int number : {SIGHUP, SIGQUIT})
    CHECK(child_code([number] {
            gpu::kube::install_signal_handlers();
            std::raise(number);
            return gpu::kube::interrupted() ? 0 : 2;
          }) == 0);
  CHECK(child_code([] {
          std::signal(SIGHUP, SIG_IGN);  // nohup
          gpu::kube::install_signal_handlers();
          std::raise(SIGHUP);
          return gpu::kube::interrupted() ? 2 : 0;
        }) == 0);
}

TEST_CASE("a file that may not grow does not end the process") {
  CHECK(child_code([] {
          gpu::kube::install_signal_handlers();
          std::raise(SIGXFSZ);
          return 0;
        }) == 0);
}

TEST_CASE("the terminal is given back before a signal ends the process at once") {
  for (const int number : {SIGABRT, SIGUSR1, SIGUSR2, SIGXCPU}) {
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    static int words = -1;
    words = ends[1];
    CHECK(child_code([number] {
            std::signal(number, SIG_DFL);  // Catch has handlers of its own
            const gpu::kube::TerminalSignals signals(
                [] { [[maybe_unused]] const ssize_t written = ::write(words, "x", 1); });
            std::raise(number);
            return 0;
          }) == 100 + number);
    ::close(ends[1]);
    char said = 0;
    CHECK(::read(ends[0], &said, 1) == 1);
    ::close(ends[0]);
  }
}

TEST_CASE("a closed pipe does not end the process") {
  CHECK(child_code([] {
          gpu::kube::install_signal_handlers();
          std::raise(SIGPIPE);
          return 0;
        }) == 0);
}

}  // namespace process_signals_test
