#pragma once

#include <string>
#include <vector>

#include "model/snapshot/planned_pod.hpp"

namespace gpu::cost {

/// Writes into the bounds of `pods` how many replicas the autoscalers may create. If several scale
/// one object, the highest limit counts.
void apply_autoscalers(std::vector<PlannedPod>& pods,
                       const std::vector<PlannedAutoscaler>& autoscalers);

/// Autoscalers whose targets are not in the manifests, so that their cost is not known:
/// "horizontalpodautoscaler/chat".
std::vector<std::string> autoscalers_without_target(const PlannedObjects& planned);

}  // namespace gpu::cost
