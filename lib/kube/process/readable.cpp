#include "kube/process/readable.hpp"

#include <poll.h>

#include <array>

#include "kube/process/signals.hpp"

namespace gpu::kube {

bool is_readable_within(int descriptor, std::chrono::milliseconds longest) {
  std::array<pollfd, 2> waiting = {{{descriptor, POLLIN, 0}, {interrupt_descriptor(), POLLIN, 0}}};
  const int ready = ::poll(waiting.data(), waiting.size(), static_cast<int>(longest.count()));
  throw_if_interrupted();
  return ready > 0;
}

}  // namespace gpu::kube
