#include "input/files/input_bytes.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "input/files/input_files.hpp"
#include "kube/process/readable.hpp"
#include "kube/process/signals.hpp"

namespace gpu::input {

InputBytes::InputBytes(const std::string& path, std::function<void()> on_wait)
    : descriptor_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)),
      is_own_(path != "-"),
      on_wait_(std::move(on_wait)) {
  if (descriptor_ >= 0) return;
  const int problem = errno;
  kube::throw_if_interrupted();
  throw unreadable_input(path, std::strerror(problem));
}

InputBytes::~InputBytes() {
  if (is_own_) ::close(descriptor_);
}

std::string_view InputBytes::next() {
  constexpr std::chrono::milliseconds kTick{500};
  for (;;) {
    if (!kube::is_readable_within(descriptor_, kTick)) {
      if (on_wait_) on_wait_();
      continue;
    }
    const ssize_t count = ::read(descriptor_, buffer_.data(), buffer_.size());
    if (count >= 0) return {buffer_.data(), static_cast<std::size_t>(count)};
    if (errno != EINTR && errno != EAGAIN) throw Error(ErrorKind::data, std::strerror(errno));
    kube::throw_if_interrupted();
  }
}

}  // namespace gpu::input
