#include "kube/process/process.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <chrono>

namespace process_process_test {

using namespace gpu::kube;

namespace {

ProcessRequest shell(const std::string& script) {
  ProcessRequest request;
  request.program = "/bin/sh";
  request.arguments = {"-c", script};
  request.environment["PATH"] = "/usr/bin:/bin";
  return request;
}

bool has_children() { return ::waitpid(-1, nullptr, WNOHANG) != -1 || errno != ECHILD; }

}  // namespace

TEST_CASE("output and exit code") {
  const ProcessResult result = run_process(shell("echo out; exit 7"));
  CHECK(result.start_error == 0);
  CHECK(result.output == "out\n");
  CHECK(result.exit_code == 7);
  CHECK_FALSE(has_children());
}

TEST_CASE("a program that is not there") {
  ProcessRequest request;
  request.program = "/nowhere/program";
  CHECK(run_process(request).start_error == ENOENT);
  CHECK_FALSE(has_children());
}

TEST_CASE("much output in small pieces arrives whole") {
  const ProcessResult result =
      run_process(shell("i=0; while [ $i -lt 500 ]; do echo 0123456789; "
                        "i=$((i+1)); done"));
  CHECK(result.output.size() == 500 * 11);
  CHECK_FALSE(result.too_much_output);
}

TEST_CASE("too much output ends the program") {
  ProcessRequest request = shell("exec cat /dev/zero");
  request.output_limit = 10'000;
  const ProcessResult result = run_process(request);
  CHECK(result.too_much_output);
  CHECK(result.exit_code == -1);
  CHECK_FALSE(has_children());
}

TEST_CASE("a program that closes its output early is waited for") {
  const ProcessResult result = run_process(shell("echo a; exec >&-; sleep 0.2; exit 4"));
  CHECK(result.output == "a\n");
  CHECK(result.exit_code == 4);
}

TEST_CASE("a grandchild that keeps the output open does not hold us") {
  const auto start = std::chrono::steady_clock::now();
  const ProcessResult result = run_process(shell("echo a; sleep 20 & exit 0"));
  CHECK(result.output == "a\n");
  CHECK(result.exit_code == 0);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
}

TEST_CASE("an ignored SIGPIPE is not handed on") {
  // With SIGPIPE ignored, yes would report an error and end with 1.
  const ProcessResult result = run_process(shell("yes | head -n 1; echo ${PIPESTATUS:-done}"));
  CHECK(result.output == "y\ndone\n");
}

TEST_CASE("standard error is collected when asked for") {
  ProcessRequest request = shell("echo out; echo wrong >&2; exit 3");
  request.errors = ChildErrors::collected;
  const ProcessResult result = run_process(request);
  CHECK(result.output == "out\n");
  CHECK(result.errors == "wrong\n");
  CHECK(result.exit_code == 3);
}

TEST_CASE("of much standard error the start is kept, and the program goes on") {
  ProcessRequest request = shell("head -c 1000000 /dev/zero >&2; echo end");
  request.errors = ChildErrors::collected;
  const ProcessResult result = run_process(request);
  CHECK(result.output == "end\n");
  CHECK(result.errors.size() < 100'000);
  CHECK(result.exit_code == 0);
}

TEST_CASE("a program that takes too long is ended") {
  using Clock = std::chrono::steady_clock;
  for (const char* script :
       {"exec sleep 20", "trap '' TERM; sleep 20", "exec >&- 2>&-; sleep 20"}) {
    ProcessRequest request = shell(script);
    request.time_limit = std::chrono::milliseconds(200);
    request.errors = ChildErrors::collected;
    const Clock::time_point start = Clock::now();
    const ProcessResult result = run_process(request);
    CHECK(result.is_late);
    CHECK(result.exit_code != 0);
    CHECK(Clock::now() - start < std::chrono::seconds(10));
    CHECK_FALSE(has_children());
  }
}

TEST_CASE("a program that ends in time is not late") {
  ProcessRequest request = shell("echo a");
  request.time_limit = std::chrono::seconds(20);
  const ProcessResult result = run_process(request);
  CHECK(result.output == "a\n");
  CHECK_FALSE(result.is_late);
  CHECK(result.exit_code == 0);
}

TEST_CASE("a program that takes long is told of once") {
  for (const char* script : {"sleep 0.4", "exec >&-; sleep 0.4"}) {
    int told = 0;
    ProcessRequest request = shell(script);
    request.slow_after = std::chrono::milliseconds(100);
    request.on_slow = [&] { ++told; };
    run_process(request);
    CHECK(told == 1);
    request.slow_after = std::chrono::seconds(20);
    run_process(request);
    CHECK(told == 1);
  }
}

TEST_CASE("a program has no descriptor of ours") {
  constexpr int kOurs = 77;
  REQUIRE(::dup2(STDERR_FILENO, kOurs) == kOurs);
  const ProcessResult result = run_process(shell("ls /dev/fd/"));
  CHECK(result.output.find("77\n") == std::string::npos);
  ::close(kOurs);
}

}  // namespace process_process_test
