#pragma once

#include <optional>

#include "diagnose/answer/explanation.hpp"
#include "model/objects/pod.hpp"

namespace gpu::diagnose {

/// Which containers request the pod's GPUs, if that may surprise: several request some, or an init
/// container requests more than all that run after it.
std::optional<Remark> request_parts(const Pod& pod);

}  // namespace gpu::diagnose
