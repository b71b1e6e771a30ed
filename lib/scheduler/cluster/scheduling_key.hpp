#pragma once

#include <cstddef>

#include "model/objects/pod.hpp"

namespace gpu::scheduler {

/// Whether no filter, no PreFilter and no preemption can tell two waiting pods apart: what the
/// scheduler says of one, it says of the other. Names of containers, images and owners are no part
/// of it; names of claims are.
bool same_scheduling_key(const Pod& a, const Pod& b);

/// Equal for pods with the same request.
std::size_t scheduling_key_hash(const Pod& pod);

}  // namespace gpu::scheduler
