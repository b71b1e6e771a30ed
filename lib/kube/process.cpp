#include "kube/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <optional>
#include <thread>

#include "kube/signals.hpp"

namespace gpu::kube {
namespace {

constexpr std::chrono::milliseconds kTick{50};
/// A grandchild may keep the pipe open for ever after the child's end: wait this long for it.
constexpr std::chrono::milliseconds kDrainTime{2000};
/// How long a child may take to end after SIGTERM.
constexpr std::chrono::milliseconds kGraceTime{1000};

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  [[nodiscard]] int get() const { return number_; }
  void reset(int number) {
    close();
    number_ = number;
  }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

/// A child that is ended and waited for, whatever happens.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { end(); }

  /// Its wait status, once it has ended.
  std::optional<int> ended() {
    if (!status_) {
      int status = 0;
      if (::waitpid(pid_, &status, WNOHANG) == pid_) status_ = status;
    }
    return status_;
  }

  int wait() {
    int status = 0;
    while (!status_ && ::waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
    status_ = status_.value_or(status);
    return status_.value_or(0);
  }

  void end() {
    if (ended()) return;
    ::kill(pid_, SIGTERM);
    for (auto waited = kTick; waited < kGraceTime && !ended(); waited += kTick)
      std::this_thread::sleep_for(kTick);
    if (ended()) return;
    ::kill(pid_, SIGKILL);
    wait();
  }

 private:
  pid_t pid_;
  std::optional<int> status_;
};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// What is done in the child before the program starts.
class SpawnPlan {
 public:
  SpawnPlan(ChildInput input, int output) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    if (input == ChildInput::none)
      note(posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0));
    // Without it the child would write its token to our standard output.
    note(posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO));
    // We ignore SIGPIPE, and an ignored signal stays ignored across exec.
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
    for (const int signal : {SIGPIPE, SIGINT, SIGTERM}) sigaddset(&signals, signal);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }

  /// 0 or an errno.
  int start(const ProcessRequest& request, pid_t& pid) const {
    if (problem_ != 0) return problem_;
    std::vector<std::string> words{request.program};
    words.insert(words.end(), request.arguments.begin(), request.arguments.end());
    std::vector<std::string> variables;
    variables.reserve(request.environment.size());
    for (const auto& [name, value] : request.environment)
      variables.emplace_back(name).append("=").append(value);
    return ::posix_spawn(&pid, request.program.c_str(), &actions_, &attributes_,
                         pointers_to(words).data(), pointers_to(variables).data());
  }

 private:
  void note(int error) {
    if (problem_ == 0) problem_ = error;
  }

  int problem_ = 0;
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

enum class ReadState { more, end };

/// Waits a moment for output, or for a signal.
ReadState read_some(int pipe, ProcessResult& result, std::size_t limit) {
  std::array<pollfd, 2> waiting = {{{pipe, POLLIN, 0}, {interrupt_descriptor(), POLLIN, 0}}};
  const int ready = ::poll(waiting.data(), waiting.size(), static_cast<int>(kTick.count()));
  throw_if_interrupted();
  if (ready <= 0 || waiting[0].revents == 0) return ReadState::more;
  std::array<char, 4096> buffer{};
  const ssize_t count = ::read(pipe, buffer.data(), buffer.size());
  if (count < 0) return errno == EINTR ? ReadState::more : ReadState::end;
  if (count == 0) return ReadState::end;
  result.output.append(buffer.data(), static_cast<std::size_t>(count));
  result.too_much_output = result.output.size() > limit;
  return result.too_much_output ? ReadState::end : ReadState::more;
}

void collect_output(int pipe, Child& child, ProcessResult& result, std::size_t limit) {
  std::chrono::milliseconds after_end{0};
  while (after_end < kDrainTime) {
    const std::size_t before = result.output.size();
    if (read_some(pipe, result, limit) == ReadState::end) return;
    if (child.ended() && result.output.size() == before) after_end += kTick;
  }
}

}  // namespace

ProcessResult run_process(const ProcessRequest& request) {
  ProcessResult result;
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) {
    result.start_error = errno;
    return result;
  }
  const Descriptor reader(ends[0]);
  Descriptor writer(ends[1]);
  for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  pid_t pid = 0;
  result.start_error = SpawnPlan(request.input, writer.get()).start(request, pid);
  writer.close();
  if (result.start_error != 0) return result;

  Child child(pid);
  collect_output(reader.get(), child, result, request.output_limit);
  if (result.too_much_output) child.end();
  // It may close its output long before its end, as a login helper that waits does.
  for (std::chrono::milliseconds pause{1}; !child.ended(); pause = std::min(pause * 2, kTick)) {
    std::this_thread::sleep_for(pause);
    throw_if_interrupted();
  }
  const int status = child.wait();
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

}  // namespace gpu::kube
