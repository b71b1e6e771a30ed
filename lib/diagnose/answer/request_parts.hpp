#pragma once

#include <optional>

#include "diagnose/answer/explanation.hpp"
#include "model/objects/pod.hpp"

namespace gpu::diagnose {

/// Which containers a pod's GPUs are for, where that is not the one that people think of: several
/// ask for some, or an init container asks for more than all that run after it.
std::optional<Remark> request_parts(const Pod& pod);

}  // namespace gpu::diagnose
