#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/objects/claim.hpp"
#include "model/objects/field_mistake.hpp"
#include "model/objects/pod.hpp"
#include "model/objects/scheduling_facts.hpp"
#include "model/objects/volume.hpp"

namespace gpu {

/// What ends a run of what a manifest creates, as far as the object says it.
struct RunBounds {
  bool ends = false;  ///< its pods run to an end; otherwise they stay until somebody deletes them
  bool stays_after_end = false;  ///< a RayJob that keeps its cluster: so it does not end
  std::int64_t pods_at_once = 1;
  std::int64_t pods_in_all = 1;  ///< that have to succeed, one after the other where these are more
  /// Pods of the template that may fail, each of which takes the place of one; nothing: nobody
  /// counts them.
  std::optional<std::int64_t> retries;
  std::int64_t restarts = 0;  ///< of the whole object, all of whose pods run again
  /// From the moment a controller takes it up, waiting for nodes included; of each of its runs.
  std::optional<std::chrono::seconds> deadline;
  bool ignores_disruptions = false;  ///< a pod that is disrupted does not count as failed
  friend bool operator==(const RunBounds&, const RunBounds&) = default;
};

/// The pods of one template that a manifest would create: one, several, or none at all.
struct PlannedPod {
  Pod pod;
  std::int64_t count = 1;  ///< how many at one time: replicas, parallelism; 1 where it is not said
  std::string file;        ///< the manifest, as it is to be called
  std::string none_because;  ///< "replicas is 0", where `count` is 0
  RunBounds bounds;          ///< with the pods that there are once nothing stops them
  std::string queue;         ///< Kueue's label on the owner, or on the pod; empty: none
  std::string template_at;   ///< "spec.workerGroupSpecs[0].template", where the object has several
  std::vector<PersistentVolumeClaim> volume_claims;  ///< volumeClaimTemplates, by their own names
  std::int64_t first_ordinal = 0;                    ///< of a StatefulSet
  std::optional<FieldMistake> mistake;               ///< for which the API server refuses the owner
  std::vector<std::string> not_checked;  ///< "the volumes that volumeClaimTemplates make"
};

/// What manifests would create.
struct PlannedObjects {
  std::vector<PlannedPod> pods;      ///< one for each pod template
  std::vector<std::string> unknown;  ///< "trainjob/x": what its pods consist of is not said
  /// What is said of the pods of such objects: their number, what they request, where they may go.
  /// Only for sums: these pods can be judged by nobody.
  std::vector<PlannedPod> outlines;
  /// Objects beside pods that pods refer to.
  std::vector<ResourceClaim> claims;
  std::vector<ClaimTemplate> claim_templates;
  std::vector<PersistentVolumeClaim> volume_claims;
  std::vector<PriorityClass> priority_classes;
  std::vector<Namespace> namespaces;
  std::vector<std::string> beside;  ///< "resourcequota/team": decides about pods, and is not judged
};

}  // namespace gpu
