#pragma once

#include <optional>
#include <string_view>

#include "model/objects/workload_object.hpp"

namespace gpu {

/// How an object that makes pods has come to its end.
struct WorkloadEnd {
  bool has_failed = false;
  const Condition* condition = nullptr;  ///< that says so, of the object; never null
};

/// Whether objects of the kind come to an end: a Job does, a Deployment does not.
bool can_end(std::string_view kind);

/// By the object's own conditions and phases; nothing while it has not ended, and for kinds that
/// come to no end, such as a Deployment.
std::optional<WorkloadEnd> end_of(const WorkloadObject& object);

}  // namespace gpu
