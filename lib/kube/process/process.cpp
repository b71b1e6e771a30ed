#include "kube/process/process.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/ascii.hpp"
#include "kube/process/signals.hpp"

namespace gpu::kube {
namespace {

constexpr std::chrono::milliseconds kTick{50};
/// A grandchild may keep the pipe open for ever after the child's end: wait this long for it.
constexpr std::chrono::milliseconds kDrainTime{2000};
/// How long a child may take to end after SIGTERM.
constexpr std::chrono::milliseconds kGraceTime{1000};
constexpr std::size_t kErrorLimit = std::size_t{64} << 10;

using Clock = std::chrono::steady_clock;

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

/// Lets no other program have a descriptor of ours: libcurl opens sockets as it likes, and whoever
/// started us may have left some open.
void keep_descriptors() {
  constexpr int kUsualLimit = 1024;
  DIR* const folder = ::opendir("/dev/fd");
  if (folder == nullptr) {
    for (int number = STDERR_FILENO + 1; number < kUsualLimit; ++number)
      ::fcntl(number, F_SETFD, FD_CLOEXEC);
    return;
  }
  while (const dirent* const entry = ::readdir(folder)) {  // NOLINT(concurrency-mt-unsafe): ours
    const auto number = whole_number(entry->d_name);
    if (number && *number > STDERR_FILENO) ::fcntl(static_cast<int>(*number), F_SETFD, FD_CLOEXEC);
  }
  ::closedir(folder);
}

/// What is done in the child before the program starts.
class SpawnPlan {
 public:
  /// `errors` is -1 where standard error is ours.
  SpawnPlan(ChildInput input, int output, int errors) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    if (input == ChildInput::none)
      note(posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0));
    // Without it the child would write its token to our standard output.
    note(posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO));
    if (errors >= 0) note(posix_spawn_file_actions_adddup2(&actions_, errors, STDERR_FILENO));
    // We ignore SIGPIPE and SIGXFSZ, and an ignored signal stays ignored across exec.
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
    for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGXFSZ}) sigaddset(&signals, signal);
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

/// A pipe whose ends no other program inherits.
class Pipe {
 public:
  /// 0 or an errno.
  int open() {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) return errno;
    for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
    reader.reset(ends[0]);
    writer.reset(ends[1]);
    return 0;
  }
  Descriptor reader;
  Descriptor writer;
};

/// The pipes from a running child.
struct Pipes {
  Pipe output;
  Pipe errors;  ///< closed where standard error is ours
};

/// Appends what has come, at most to `limit` bytes and then some; closes the pipe at its end.
void read_some(Descriptor& pipe, std::string& to, std::size_t limit) {
  std::array<char, 4096> buffer{};
  const ssize_t count = ::read(pipe.get(), buffer.data(), buffer.size());
  if (count < 0 && errno == EINTR) return;
  if (count <= 0) return pipe.close();
  if (to.size() <= limit) to.append(buffer.data(), static_cast<std::size_t>(count));
}

/// Waits a moment for output, or for a signal.
void read_some(Pipes& pipes, ProcessResult& result, std::size_t limit) {
  std::array<pollfd, 3> waiting = {{{pipes.output.reader.get(), POLLIN, 0},
                                    {pipes.errors.reader.get(), POLLIN, 0},
                                    {interrupt_descriptor(), POLLIN, 0}}};
  const int ready = ::poll(waiting.data(), waiting.size(), static_cast<int>(kTick.count()));
  throw_if_interrupted();
  if (ready <= 0) return;
  if (waiting[0].revents != 0) read_some(pipes.output.reader, result.output, limit);
  if (waiting[1].revents != 0) read_some(pipes.errors.reader, result.errors, kErrorLimit);
  result.too_much_output = result.output.size() > limit;
}

/// Tells once that a program takes long.
class SlowNotice {
 public:
  explicit SlowNotice(const ProcessRequest& request)
      : tell_(request.on_slow), due_(Clock::now() + request.slow_after) {}
  void look() {
    if (tell_ && Clock::now() >= due_) std::exchange(tell_, {})();
  }

 private:
  std::function<void()> tell_;
  Clock::time_point due_;
};

void collect_output(Pipes& pipes, Child& child, ProcessResult& result, std::size_t limit,
                    Clock::time_point deadline, SlowNotice& slow) {
  std::chrono::milliseconds after_end{0};
  while (after_end < kDrainTime && !result.too_much_output && Clock::now() < deadline) {
    if (pipes.output.reader.get() < 0 && pipes.errors.reader.get() < 0) return;
    const std::size_t before = result.output.size() + result.errors.size();
    read_some(pipes, result, limit);
    slow.look();
    if (child.ended() && result.output.size() + result.errors.size() == before) after_end += kTick;
  }
}

/// 0 or an errno.
int start(const ProcessRequest& request, Pipes& pipes, pid_t& pid) {
  // Else a program that another thread starts would keep our pipe open.
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  int problem = pipes.output.open();
  if (problem == 0 && request.errors == ChildErrors::collected) problem = pipes.errors.open();
  keep_descriptors();
  if (problem == 0)
    problem = SpawnPlan(request.input, pipes.output.writer.get(), pipes.errors.writer.get())
                  .start(request, pid);
  pipes.output.writer.close();
  pipes.errors.writer.close();
  return problem;
}

bool is_executable(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
         ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

ProcessResult run_process(const ProcessRequest& request) {
  ProcessResult result;
  Pipes pipes;
  pid_t pid = 0;
  result.start_error = start(request, pipes, pid);
  if (result.start_error != 0) return result;

  Child child(pid);
  const Clock::time_point deadline =
      request.time_limit ? Clock::now() + *request.time_limit : Clock::time_point::max();
  const auto is_over = [&] { return Clock::now() >= deadline; };
  SlowNotice slow(request);
  collect_output(pipes, child, result, request.output_limit, deadline, slow);
  result.is_late = pipes.output.reader.get() >= 0 && is_over();
  if (result.too_much_output || result.is_late) child.end();
  // It may close its output long before its end, as a login helper that waits does.
  for (std::chrono::milliseconds pause{1}; !child.ended(); pause = std::min(pause * 2, kTick)) {
    if (is_over()) {
      result.is_late = true;
      child.end();
    }
    std::this_thread::sleep_for(pause);
    slow.look();
    throw_if_interrupted();
  }
  const int status = child.wait();
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

std::optional<std::string> program_in_path(const std::string& name,
                                           const Environment& environment) {
  const std::string path = environment.get_or_empty("PATH");
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t end = std::min(path.find(':', start), path.size());
    const std::string folder = path.substr(start, end - start);
    std::string program = folder;
    program.append("/").append(name);
    if (folder.starts_with('/') && is_executable(program)) return program;
    start = end + 1;
  }
  return std::nullopt;
}

}  // namespace gpu::kube
