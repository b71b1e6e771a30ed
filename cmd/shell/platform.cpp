#include "cmd/shell/platform.hpp"

namespace gpu::cmd {

std::string platform_name() {
#if defined(__APPLE__)
  std::string name = "darwin/";
#else
  std::string name = "linux/";
#endif
#if defined(__x86_64__)
  return name + "amd64";
#elif defined(__aarch64__)
  return name + "arm64";
#else
  return name + "unknown";
#endif
}

}  // namespace gpu::cmd
