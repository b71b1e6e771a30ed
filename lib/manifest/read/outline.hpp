#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "decode/objects/pod_template.hpp"
#include "manifest/read/mistake.hpp"

namespace gpu::manifest {

/// What an object without a pod template says of its pods: a TrainJob by its trainer and the
/// patches of its runtime, an InferenceService by its model.
struct PodOutline {
  decode::PodTemplate made;
  std::int64_t count = 1;
  std::string none_because;  ///< "numNodes is 0", where `count` is 0
};

/// Nothing for other kinds, and where it says nothing of resources.
std::optional<PodOutline> outline_of(const nlohmann::json& object, const KindName& name);

}  // namespace gpu::manifest
