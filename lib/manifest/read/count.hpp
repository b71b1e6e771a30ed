#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "decode/objects/pod_template.hpp"

namespace gpu::manifest {

/// How many pods, and what of the manifest says that there are none.
struct PodCount {
  std::int64_t count = 1;
  std::int64_t once_resumed = 1;  ///< the same where nothing would be suspended or paused
  std::string none_because;
};

/// How many pods of a template run at one time, by what stands around it in `object`: replicas,
/// parallelism, sizes, the least that an autoscaler keeps; no workers where a RayCluster does not
/// say how many, and one server where KServe may have none, for it starts with one; none where
/// something is suspended or paused, unless `queue` (Kueue's) lifts that.
PodCount count_of(const nlohmann::json& object, const decode::PodTemplate& made,
                  std::string_view queue);

/// The same for one replica of the object at `scaled_at`, in which the template stands: hosts,
/// sizes, and replicas of what stands further out.
std::int64_t pods_per_replica(const nlohmann::json& object, const decode::PodTemplate& made,
                              const nlohmann::json::json_pointer& scaled_at);

}  // namespace gpu::manifest
