#include "input/files/input_bytes.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "input/files/input_files.hpp"
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
  constexpr int kTick = 500;  // milliseconds
  for (;;) {
    std::array<pollfd, 2> waiting = {
        {{descriptor_, POLLIN, 0}, {kube::interrupt_descriptor(), POLLIN, 0}}};
    const int ready = ::poll(waiting.data(), waiting.size(), kTick);
    kube::throw_if_interrupted();
    if (ready == 0 && on_wait_) on_wait_();
    if (ready == 0) continue;
    const ssize_t count = ::read(descriptor_, buffer_.data(), buffer_.size());
    if (count >= 0) return {buffer_.data(), static_cast<std::size_t>(count)};
    if (errno != EINTR && errno != EAGAIN) throw Error(ErrorKind::data, std::strerror(errno));
    kube::throw_if_interrupted();
  }
}

}  // namespace gpu::input
