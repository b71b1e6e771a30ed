#pragma once

#include <string>

namespace gpu::cmd {

/// What this program was built for, as Go and Kubernetes write it: "linux/amd64".
std::string platform_name();

}  // namespace gpu::cmd
