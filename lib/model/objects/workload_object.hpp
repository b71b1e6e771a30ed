#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "model/objects/node.hpp"
#include "model/objects/pod.hpp"

namespace gpu {

/// What we keep of an object that makes pods (a kind of workload_kinds()): why it has none yet.
struct WorkloadObject {
  std::string kind;         ///< "Job"
  std::string api_version;  ///< "batch/v1"
  std::string ns;
  std::string name;
  std::string uid;
  StringMap labels;  ///< kueue.x-k8s.io/queue-name is one
  std::vector<OwnerReference> owners;
  std::optional<Time> created;
  std::optional<std::int64_t> wanted;  ///< pods: spec.replicas, a Job's parallelism
  bool is_suspended = false;           ///< spec.suspend
  std::vector<Condition> conditions;
  std::optional<Pod>
      pod;  ///< of spec.template, in the object's namespace; absent where it has none
  friend bool operator==(const WorkloadObject&, const WorkloadObject&) = default;
};

}  // namespace gpu
