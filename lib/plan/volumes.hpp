#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/snapshot/planned_pod.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu::plan {

/// The volumeClaimTemplates of a StatefulSet, and which pods it has.
struct VolumeClaimTemplates {
  std::vector<PersistentVolumeClaim> claims;  ///< `name` is the template's
  std::int64_t first = 0;                     ///< spec.ordinals.start
  friend bool operator==(const VolumeClaimTemplates&, const VolumeClaimTemplates&) = default;
};

/// Adds the claims of the manifests as the API server completes them: one that names no class gets
/// the default one. Where its volume is made before a pod has a node, nobody knows where that is:
/// the pods that use it say so.
void add_volume_claims(PlannedObjects& planned, Snapshot& snapshot);

/// Makes in `snapshot` the claims that the controller would make for the first `count` pods of the
/// StatefulSet that `pod` is of. Those that are there stay. Says what is not checked of them: a
/// volume that is made at once may be made anywhere.
std::vector<std::string> make_volume_claims(const Pod& pod, const VolumeClaimTemplates& templates,
                                            std::int64_t count, Snapshot& snapshot);

/// Lets `pod` be the pod of that number, from 0 on: it uses those of its claims that there are.
void use_volume_claims(Pod& pod, const VolumeClaimTemplates& templates, std::int64_t number,
                       const Snapshot& snapshot);

/// Whether the volume of a claim is made when a pod has its node, and takes nothing from others.
bool is_made_on_demand(const PersistentVolumeClaim& claim, const SchedulingFacts& facts);

}  // namespace gpu::plan
