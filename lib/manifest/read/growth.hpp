#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "decode/objects/pod_template.hpp"
#include "manifest/read/mistake.hpp"
#include "model/snapshot/planned_pod.hpp"

namespace gpu::manifest {

/// Says in `bounds` how far autoscalers that `object` itself names may raise the number of pods of
/// the template: of Ray's worker groups, KServe's and Knative's servers, and elastic PyTorchJobs;
/// and how many pods a replica has, where other objects may scale it.
void add_growth(RunBounds& bounds, const nlohmann::json& object, const KindName& name,
                const decode::PodTemplate& made);

/// Whether it is a HorizontalPodAutoscaler, KEDA's ScaledObject, or any other object with a
/// scaleTargetRef.
bool is_autoscaler(const nlohmann::json& object, const KindName& kind);

/// What such an object does. `name` is its own.
PlannedAutoscaler autoscaler_of(const nlohmann::json& object, const KindName& kind,
                                const std::string& name, const std::string& ns);

}  // namespace gpu::manifest
