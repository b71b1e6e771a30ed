#pragma once

#include <cstddef>

#include "model/objects/pod.hpp"

namespace gpu::scheduler {

/// Whether two waiting pods are equal for every filter, PreFilter and preemption: the scheduler
/// reports the same for both. Names of containers, images and owners do not matter; names of claims
/// do.
bool same_scheduling_key(const Pod& a, const Pod& b);

/// Equal for pods with the same request.
std::size_t scheduling_key_hash(const Pod& pod);

}  // namespace gpu::scheduler
