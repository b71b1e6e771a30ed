#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "model/gpu/sample.hpp"
#include "usage/devices/device_use.hpp"

namespace gpu::usage {

/// Samples of one node.
using NodeSamples = std::vector<const Sample*>;

/// The devices that `samples` tell of, each once, by card index, then GPU instance. Exporters name
/// a card by UUID, PCI address or index: what agrees is one card. Each measure is the newest that
/// is not stale; of two as new an exporter's, and an exporter's in a usual namespace before that of
/// others. What belongs to the card of a MIG instance, its power
/// and temperature, stands at the card alone. Users are not found yet; `sample.owners` are.
std::vector<DeviceUse> merged_devices(const NodeSamples& samples, const std::optional<Time>& now);

/// How long before `now` the sample was taken; nothing where that is not known, or not possible.
std::optional<std::chrono::seconds> age_of(const Sample& sample, const std::optional<Time>& now);

/// Dated more than a minute after the answer: a clock is wrong, or somebody wants to look newest.
bool is_ahead(const Sample& sample, const std::optional<Time>& now);

/// Older than 5 minutes, ahead, or of a time that cannot be compared with that of the answer.
bool is_stale(const Sample& sample, const std::optional<Time>& now);

/// "gpu-a1/3", "gpu-m1/0:7": a device for people.
std::string device_text(const std::string& node, const Sample& sample);

}  // namespace gpu::usage
