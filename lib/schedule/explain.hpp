#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "schedule/cluster.hpp"
#include "schedule/explanation.hpp"

namespace gpu::schedule {

/// What the explanation may use beside the cluster.
struct ExplainOptions {
  std::optional<Time> now;          ///< nothing: how long it waits is unknown
  std::set<std::string> idle_pods;  ///< uids of pods whose GPUs are idle, where telemetry tells
  std::string manifest;             ///< the file that the pod would be made from; empty: it exists
  std::string template_at;          ///< where in its object, if that has several templates
  /// Whether fixes are searched: the table of all waiting pods does not show them.
  enum class Fixes { search, leave_out } fixes = Fixes::search;
};

/// Why one pod does not run, in the order of diagnosis: finished or running, bound, gated or held
/// by a queue, nobody's scheduler, refused before any node, refused by nodes.
Explanation explain(const Cluster& cluster, const Pod& pod, const ExplainOptions& options);

/// All pods of the snapshot that wait or cannot start, `ns` only unless it is empty: equal pods of
/// one owner with one reason are one explanation. By namespace, then longest waiting first.
std::vector<Explanation> explain_all(const Cluster& cluster, std::string_view ns,
                                     const ExplainOptions& options);

}  // namespace gpu::schedule
