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

/// The devices in `samples`, each once, by card index, then GPU instance. Exporters name a card by
/// UUID, PCI address or index; names that agree are one card. Each measure is the newest that is
/// not stale. Of two equally new ones, an exporter's counts before other sources, and first that of
/// an exporter in a well-known namespace. Power and temperature of a MIG instance belong to its
/// card, and are only at the card. Users are not found yet; `sample.owners` are.
std::vector<DeviceUse> merged_devices(const NodeSamples& samples, const std::optional<Time>& now);

/// How long before `now` the sample was taken; nothing if that is not known, or not possible.
std::optional<std::chrono::seconds> age_of(const Sample& sample, const std::optional<Time>& now);

/// Dated more than a minute after the answer: a clock is wrong, or an exporter pretends to be the
/// newest.
bool is_ahead(const Sample& sample, const std::optional<Time>& now);

/// Older than 5 minutes, ahead, or with a time that cannot be compared with the time of the answer.
bool is_stale(const Sample& sample, const std::optional<Time>& now);

/// "gpu-a1/3", "gpu-m1/0:7": a device for people.
std::string device_text(const std::string& node, const Sample& sample);

}  // namespace gpu::usage
