#pragma once

#include "model/pod.hpp"
#include "schedule/node_view.hpp"
#include "schedule/rules.hpp"

namespace gpu::schedule {

/// What NodeDeclaredFeatures says of a pod before nodes are looked at. What it asks for (a
/// container that restarts all, host network with user namespaces) is not read of pods yet.
PreFilterResult before_declared_features(const Rules& rules, const Pod& pod);

}  // namespace gpu::schedule
