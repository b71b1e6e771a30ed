#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/claim.hpp"
#include "model/field_mistake.hpp"
#include "model/pod.hpp"
#include "model/scheduling_facts.hpp"
#include "model/volume.hpp"

namespace gpu::input {

/// A pod that a manifest would make, once or several times, or not at all.
struct PlannedPod {
  Pod pod;
  std::int64_t count = 1;
  std::string file;          ///< as it is to be called
  std::string none_because;  ///< "replicas is 0", where `count` is 0
  std::string queue;         ///< Kueue's label on what makes it, or on the pod; empty: none
  std::string template_at;   ///< "spec.workerGroupSpecs[0].template", where the object has several
  std::vector<PersistentVolumeClaim> volume_claims;  ///< volumeClaimTemplates, by their own names
  std::int64_t first_ordinal = 0;                    ///< of a StatefulSet
  std::optional<FieldMistake> mistake;   ///< for which the API server refuses what makes it
  std::vector<std::string> not_checked;  ///< "the volumes that volumeClaimTemplates make"
};

/// What manifests would make.
struct PlannedPods {
  std::vector<PlannedPod> pods;
  std::vector<std::string> unknown;  ///< "trainjob/x": of what their pods are made is not said
  /// What they make beside pods, and pods ask for.
  std::vector<ResourceClaim> claims;
  std::vector<ClaimTemplate> claim_templates;
  std::vector<PersistentVolumeClaim> volume_claims;
  std::vector<PriorityClass> priority_classes;
  std::vector<Namespace> namespaces;
  std::vector<std::string> beside;  ///< "resourcequota/team": decides about pods, and is not judged
};

/// Adds what the file at `path` would make, read as manifest::read_manifest() does; `-` is standard
/// input, and of a folder all its files *.yaml, *.yml and *.json, as kubectl takes them. `ns` is
/// where an object without a namespace goes. Throws Error{usage} for what cannot be read.
void add_manifests(PlannedPods& planned, const std::string& path, const std::string& ns);

}  // namespace gpu::input
