#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "base/time.hpp"
#include "model/objects/pod.hpp"
#include "usage/devices/device_use.hpp"

namespace gpu::usage {

/// Since when `pod` has used its devices, as far as is known: when the first run of a container
/// that is known began, else of an init container, else when the kubelet took the pod, or when it
/// was created.
std::optional<Time> held_since(const Pod& pod);

/// Whether what is told of `device` may have been measured before any of `pods`, which hold it, had
/// it: an exporter tells the same until it measures again. False where times are not known.
bool is_of_before(const DeviceUse& device, const std::vector<const Pod*>& pods);

}  // namespace gpu::usage
