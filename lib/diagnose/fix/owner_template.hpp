#pragma once

#include <string>

#include "model/objects/pod.hpp"
#include "model/snapshot/workload.hpp"

namespace gpu::diagnose {

/// The field of its owner that describes a pod, by the labels that the controller gives the pod:
/// "spec.pytorchReplicaSpecs.Worker.template", "spec.predictor". Empty if it is not known.
std::string template_of(const Owner& owner, const Pod& pod);

/// The owner that describes the pod: the topmost that is known; of a Knative revision whose objects
/// were not read, the Service that the pod's labels name.
Owner template_owner(const Pod& pod, const Snapshot& snapshot);

}  // namespace gpu::diagnose
