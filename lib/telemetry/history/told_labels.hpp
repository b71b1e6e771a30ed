#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/time.hpp"
#include "telemetry/dialects/series.hpp"

namespace gpu::telemetry {

/// The value of `label`. If the scrape target has a label of the same name, that one has the name,
/// and the metric's is under exported_.
std::string_view told(const Series& one, std::string_view label);

/// Whether a pod's own labels were moved in this way: then `pod`, `namespace` and `node` are those
/// of kube-state-metrics itself.
bool is_renamed(const Series& one);

/// The node of a pod.
std::string_view told_node(const Series& one);

/// A kind or a name; empty for "<none>".
std::string_view told_or_none(const Series& one, std::string_view label);

/// The value as a Unix time; nothing for 0, negative values, NaN, and values that are not a time.
std::optional<Time> told_time(const Series& one);

}  // namespace gpu::telemetry
