#pragma once

#include <cstdint>
#include <span>

#include "model/snapshot/planned_pod.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::plan {

/// Whether pods that work together start together.
enum class Gang : std::uint8_t {
  none,     ///< each of them works by itself
  whole,    ///< their scheduler starts so many of them as must start together, or none
  partial,  ///< kube-scheduler starts some of them where not all fit, and these wait for the others
};

/// How the pods of one object start.
struct GangRule {
  Gang gang = Gang::none;
  std::int64_t least = 0;  ///< of a whole gang: so many pods of the object, or none
};

/// Of all templates of one object, which are not empty.
GangRule gang_rule(std::span<const PlannedPod> templates, const scheduler::Cluster& cluster);

/// Whether two templates are of one object, or of one PodGroup of Volcano.
bool has_one_gang(const PlannedPod& a, const PlannedPod& b);

/// How many pods the templates of an object have.
std::int64_t pods_of(std::span<const PlannedPod> templates);

}  // namespace gpu::plan
