#pragma once

#include <string>

#include "model/objects/pod.hpp"
#include "model/snapshot/workload.hpp"

namespace gpu::diagnose {

/// Where its owner describes a pod, by the labels that the controller gives it:
/// "spec.pytorchReplicaSpecs.Worker.template", "spec.predictor". Empty where that cannot be told.
std::string template_of(const Owner& owner, const Pod& pod);

}  // namespace gpu::diagnose
