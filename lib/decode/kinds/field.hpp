#pragma once

#include <map>
#include <string>

namespace gpu::decode {

/// What a member of an object means: how it is kept, and what hides it.
enum class Meaning {
  presence,      ///< that there is something
  fields,        ///< an object, or an array of them, of which some members are kept
  number,        ///< a number, a truth value, a quantity, a time: says nothing of anybody
  word,          ///< one of the API's own words: a phase, a reason, an operator
  version,       ///< "v1.36.1"
  message,       ///< free text
  own_name,      ///< metadata.name: what it names is the object's kind
  node,          ///< a node's name
  ns,            ///< a namespace's
  pod,           ///< a pod's
  claim,         ///< a ResourceClaim's, or of a template for one
  container,     ///< a container's
  request,       ///< what a pod calls a claim, and a claim a request; "claim/sub"
  volume,        ///< a pod's volume
  volume_claim,  ///< a PersistentVolumeClaim's
  persistent_volume,
  disk,   ///< what a cloud or a storage calls a volume
  group,  ///< of pods
  queue,  ///< of Kueue; a cohort of them, a check and a topology, too
  flavor,
  flavors,  ///< map from resource to flavor
  storage_class,
  runtime_class,
  device_class,
  scheduler,
  priority_class,
  gate,  ///< of scheduling
  uid,
  image,
  port_name,
  address,   ///< "10.1.2.3"
  exporter,  ///< "NAMESPACE/POD"
  metric,    ///< of an exporter
  reading,   ///< a number, or "NaN", "+Inf", "-Inf"
  provider_id,
  driver,       ///< of DRA
  pool,         ///< of DRA: often a node's name
  device,       ///< in a pool; counters and counter sets too
  attribute,    ///< the name of an attribute of a device
  resource,     ///< the name of a resource: "nvidia.com/gpu"
  device_id,    ///< of a device plugin: "GPU-4b3c..."
  device_name,  ///< allocatedResourcesStatus: a resource, or "claim:NAME/REQUEST"
  cel,
  label_key,
  labels,              ///< map
  annotations,         ///< map; only those of GPU schedulers are kept
  resources,           ///< map from resource to quantity
  amounts,             ///< map from capacity or counter to quantity, or {"value": quantity}
  attributes,          ///< map from attribute to {"string": ...} and the like
  requirements,        ///< array of {key, operator, values} on labels
  field_requirements,  ///< the same on fields: metadata.name
  metric_labels,       ///< map
  taints,              ///< array of {key, operator, value, effect}: tolerations too
  owners,              ///< ownerReferences
  quotas,              ///< map from what a ResourceQuota counts to quantity
  reference,           ///< {apiVersion, kind, namespace, name, uid}
  users,               ///< reservedFor: {apiGroup, resource, name, uid}
};

/// What is kept of an object, and what each part means.
struct Field {
  Meaning meaning = Meaning::fields;
  std::map<std::string, Field, std::less<>> members;  ///< only of Meaning::fields
};

}  // namespace gpu::decode
