#include "kube/process/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace gpu::kube {

void open_standard_streams() {
  // From the lowest on, so that open() returns the one that is missing.
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // Words for people are lost where nobody hears them; an answer that nobody gets is an error.
    const int mode = descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY;
    static_cast<void>(::open("/dev/null", mode));
  }
}

}  // namespace gpu::kube
