#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "base/time.hpp"

namespace gpu::diagnose {

/// What the explanation may use in addition to the cluster.
struct ExplainOptions {
  std::optional<Time> now;          ///< nothing: how long it waits is unknown
  std::set<std::string> idle_pods;  ///< uids of pods with idle GPUs, by telemetry
  std::string manifest;     ///< the file that the pod would be created from; empty: it exists
  std::string template_at;  ///< where in its object, if that has several templates
  /// With `manifest`: how many pods of the template do not start, this one among them.
  std::int64_t planned_pods = 1;
  /// Whether fixes are searched: the table of all waiting pods does not show them.
  enum class Fixes { search, leave_out } fixes = Fixes::search;
};

}  // namespace gpu::diagnose
