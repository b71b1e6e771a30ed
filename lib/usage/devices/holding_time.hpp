#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "base/time.hpp"
#include "model/objects/pod.hpp"
#include "usage/devices/device_use.hpp"

namespace gpu::usage {

/// Since when `pod` has used its devices, as far as is known: when the first known run of a
/// container began, otherwise of an init container, otherwise when the kubelet accepted the pod, or
/// when it was created.
std::optional<Time> held_since(const Pod& pod);

/// Whether the values of `device` may have been measured before any of `pods`, which hold it, had
/// it: an exporter repeats a value until it measures again. False if times are not known.
bool is_of_before(const DeviceUse& device, const std::vector<const Pod*>& pods);

}  // namespace gpu::usage
