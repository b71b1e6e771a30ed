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
#include "model/objects/volcano.hpp"
#include "model/objects/volume.hpp"

namespace gpu {

/// How far an autoscaler may raise the number of pods of a template.
struct PodGrowth {
  std::optional<std::int64_t> most;  ///< at one time; nothing: no limit is known
  std::string by;  ///< the field that limits it, "maxReplicas"; else why none does: "maxReplicas is
                   ///< not set"
  friend bool operator==(const PodGrowth&, const PodGrowth&) = default;
};

/// What ends a run of what a manifest creates, as far as the object says it.
struct RunBounds {
  bool ends = false;  ///< its pods run to an end; otherwise they stay until somebody deletes them
  bool stays_after_end = false;  ///< a RayJob that keeps its cluster: so it does not end
  std::int64_t pods_at_once = 1;
  std::int64_t pods_in_all = 1;  ///< that have to succeed, one after the other where these are more
  /// Pods of the template that may fail, each of which takes the place of one; nothing: nobody
  /// counts them.
  std::optional<std::int64_t> retries;
  bool shares_retries = false;  ///< `retries` are of all templates of the object together
  std::int64_t restarts = 0;    ///< of the whole object, all of whose pods run again
  /// From the moment a controller takes it up, waiting for nodes included; of each of its runs.
  std::optional<std::chrono::seconds> deadline;
  bool ignores_disruptions = false;  ///< a pod that is disrupted does not count as failed
  /// Of one replica, where `kubectl scale` changes how many replicas there are.
  std::optional<std::int64_t> pods_per_replica;
  std::optional<PodGrowth>
      growth;  ///< nothing: no autoscaler of the manifests changes their number
  friend bool operator==(const RunBounds&, const RunBounds&) = default;
};

/// How many pods of an object start together, as the object or its PodGroup says; nothing: it does
/// not say so.
struct PlannedGroup {
  std::optional<std::int64_t> least;              ///< of all templates of the object together
  std::optional<std::int64_t> least_of_template;  ///< of a task of a Volcano Job
  friend bool operator==(const PlannedGroup&, const PlannedGroup&) = default;
};

/// The pods of one template that a manifest would create: one, several, or none at all.
struct PlannedPod {
  Pod pod;
  std::int64_t count = 1;  ///< how many at one time: replicas, parallelism; 1 where it is not said
  std::string file;        ///< the manifest, as it is to be called
  std::string none_because;  ///< "replicas is 0", where `count` is 0
  RunBounds bounds;          ///< with the pods that there are once nothing stops them
  PlannedGroup group;        ///< for schedulers that start pods together
  std::string queue;         ///< Kueue's label on the owner, or on the pod; empty: none
  std::string template_at;   ///< "spec.workerGroupSpecs[0].template", where the object has several
  std::vector<PersistentVolumeClaim> volume_claims;  ///< volumeClaimTemplates, by their own names
  std::int64_t first_ordinal = 0;                    ///< of a StatefulSet
  std::optional<FieldMistake> mistake;               ///< for which the API server refuses the owner
  std::vector<std::string> not_checked;  ///< "the volumes that volumeClaimTemplates make"
};

/// An object of a manifest that changes how many replicas another object has.
struct PlannedAutoscaler {
  std::string object;  ///< "horizontalpodautoscaler/chat"
  std::string ns;
  std::string target_kind;  ///< of any letter case
  std::string target_name;
  std::int64_t least = 0;            ///< replicas
  std::optional<std::int64_t> most;  ///< replicas; nothing: no limit is known
  std::string by;                    ///< as PodGrowth::by
};

/// What manifests would create.
struct PlannedObjects {
  std::vector<PlannedPod> pods;      ///< one for each pod template
  std::vector<std::string> unknown;  ///< "trainjob/x": what its pods consist of is not said
  /// What is said of the pods of such objects: their number, what they request, where they may go.
  /// Only for sums: these pods can be judged by nobody.
  std::vector<PlannedPod> outlines;
  /// What the structure of an object says of pods, where it has no template of them that is known:
  /// of kinds that are not known, and of parts such as an InferenceService's model.
  std::vector<PlannedPod> found;
  /// "appwrapper/x": of kinds that are not known, with templates of pods that request GPUs. Whether
  /// they make such pods, nobody knows.
  std::vector<std::string> holders;
  /// Objects beside pods that pods refer to.
  std::vector<ResourceClaim> claims;
  std::vector<ClaimTemplate> claim_templates;
  std::vector<PersistentVolumeClaim> volume_claims;
  std::vector<PriorityClass> priority_classes;
  std::vector<Namespace> namespaces;
  std::vector<VolcanoPodGroup> pod_groups;
  std::vector<PlannedAutoscaler> autoscalers;
  std::vector<std::string> beside;  ///< "resourcequota/team": decides about pods, and is not judged
};

}  // namespace gpu
