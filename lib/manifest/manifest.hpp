#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/claim.hpp"
#include "model/field_mistake.hpp"
#include "model/pod.hpp"
#include "model/scheduling_facts.hpp"
#include "model/volume.hpp"

namespace gpu::manifest {

/// What a pod template would make, in no namespace but its own or the given.
struct TemplatePod {
  Pod pod;
  std::int64_t count = 1;  ///< how many at one time: replicas, parallelism; 1 where it is not said
  std::string none_because;  ///< "replicas is 0", where `count` is 0
  std::string queue;         ///< Kueue's label on what makes it, or on the pod; empty: none
  std::string template_at;   ///< "spec.workerGroupSpecs[0].template", where the object has several
  std::vector<PersistentVolumeClaim> volume_claims;  ///< volumeClaimTemplates, by their own names
  std::int64_t first_ordinal = 0;                    ///< of a StatefulSet
  std::optional<FieldMistake> mistake;   ///< for which the API server refuses what makes it
  std::vector<std::string> not_checked;  ///< "the volumes that volumeClaimTemplates make"
};

/// What a manifest would make.
struct Manifest {
  std::vector<TemplatePod> pods;  ///< one for each pod template
  /// "trainjob/x": objects of which it does not say what their pods are made of.
  std::vector<std::string> unknown;
  /// What it makes beside pods, and pods ask for.
  std::vector<ResourceClaim> claims;
  std::vector<ClaimTemplate> claim_templates;
  std::vector<PersistentVolumeClaim> volume_claims;
  std::vector<PriorityClass> priority_classes;
  std::vector<Namespace> namespaces;
  /// "resourcequota/team": what else of it decides about pods, and is not judged.
  std::vector<std::string> beside;
};

/// Reads YAML or JSON, of several documents too: Pods, the kinds that own pods, other kinds with a
/// spec.template of pods, claims for devices and volumes, Lists of these. All other kinds are
/// passed over. `name` stands before what is said of the text; `ns` is where an object without a
/// namespace goes. Throws Error{usage} with line and column for what is not YAML or JSON, for a
/// field that is not what it should be, and for pods without containers.
Manifest read_manifest(std::string_view text, const std::string& name, const std::string& ns);

}  // namespace gpu::manifest
