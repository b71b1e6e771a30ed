#pragma once

#include <string_view>

namespace gpu {

/// Whether the reason of a container's terminated state says that the runtime could not start it:
/// StartError (containerd, CRI-O), ContainerCannotRun (dockershim). Its message is the kubelet's.
bool is_start_failure(std::string_view terminated);

}  // namespace gpu
