#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "decode/objects/pod_template.hpp"
#include "manifest/read/mistake.hpp"
#include "model/snapshot/planned_pod.hpp"

namespace gpu::manifest {

/// What ends a run of the pods of a template of `object`, `pods_at_once` of them at one time, and
/// how many they may become: fields of Jobs, JobSets, Kubeflow's and Ray's jobs, and of servers
/// with autoscalers, with what their controllers take where a field is missing. Of kinds that are
/// not known, nothing ends it.
RunBounds bounds_of(const nlohmann::json& object, const KindName& name,
                    const decode::PodTemplate& made, std::int64_t pods_at_once);

}  // namespace gpu::manifest
