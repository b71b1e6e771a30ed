#pragma once

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

/// The pods of one template that a manifest would create: one, several, or none at all.
struct PlannedPod {
  Pod pod;
  std::int64_t count = 1;  ///< how many at one time: replicas, parallelism; 1 where it is not said
  std::string file;        ///< the manifest, as it is to be called
  std::string none_because;  ///< "replicas is 0", where `count` is 0
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
  /// Objects beside pods that pods refer to.
  std::vector<ResourceClaim> claims;
  std::vector<ClaimTemplate> claim_templates;
  std::vector<PersistentVolumeClaim> volume_claims;
  std::vector<PriorityClass> priority_classes;
  std::vector<Namespace> namespaces;
  std::vector<std::string> beside;  ///< "resourcequota/team": decides about pods, and is not judged
};

}  // namespace gpu
