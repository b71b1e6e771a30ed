#pragma once

#include <string>

#include "model/objects/pod.hpp"
#include "model/snapshot/workload.hpp"

namespace gpu::diagnose {

/// Which of its owner's templates a pod is of, by the labels that the controller gives it:
/// "spec.pytorchReplicaSpecs.Worker.template". Empty for an owner with one template, and where
/// that cannot be told.
std::string template_of(const Owner& owner, const Pod& pod);

}  // namespace gpu::diagnose
