#pragma once

#include <optional>
#include <string>

#include "model/objects/pod.hpp"
#include "model/objects/scheduling_facts.hpp"

namespace gpu::admission {

/// Gives the pod's containers the requests and limits that the LimitRanges of its namespace set for
/// those that have none, as the admission plugin LimitRanger does.
void add_default_resources(Pod& pod, const SchedulingFacts& facts);

/// A LimitRange that lets the pod not in, with the API server's words for why.
struct LimitRefusal {
  std::string limit_range;
  std::string why;  ///< "maximum cpu usage per Container is 2, but limit is 4"
};

/// The first LimitRange of the pod's namespace, by name, that the pod is outside of, once
/// add_default_resources() was done.
std::optional<LimitRefusal> limit_refusal(const Pod& pod, const SchedulingFacts& facts);

}  // namespace gpu::admission
