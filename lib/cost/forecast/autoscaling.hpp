#pragma once

#include <string>
#include <vector>

#include "model/snapshot/planned_pod.hpp"

namespace gpu::cost {

/// Says in the bounds of `pods` how far the autoscalers may raise their numbers. Of several that
/// scale one object, the one that goes furthest counts.
void apply_autoscalers(std::vector<PlannedPod>& pods,
                       const std::vector<PlannedAutoscaler>& autoscalers);

/// Autoscalers whose targets are not in the manifests, so that their cost is not known:
/// "horizontalpodautoscaler/chat".
std::vector<std::string> autoscalers_without_target(const PlannedObjects& planned);

}  // namespace gpu::cost
