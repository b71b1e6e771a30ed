#pragma once

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
  /// Whether fixes are searched: the table of all waiting pods does not show them.
  enum class Fixes { search, leave_out } fixes = Fixes::search;
};

}  // namespace gpu::diagnose
