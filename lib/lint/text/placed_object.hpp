#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lint/text/lint.hpp"

namespace gpu::lint {

/// What of an object decides where its pods may run.
enum class PlacingField : std::uint8_t {
  node_selector,
  affinity,
  tolerations,
  scheduler_name,
  priority_class,
  spread,
  claims,
  volumes,
  gpus,   ///< the resources of the first container that requests GPUs
  queue,  ///< Kueue's label of the object
};

/// An object of a text, for what is said of it by whoever asks a cluster.
struct PlacedObject {
  std::string kind;
  std::string api_version;
  std::string name;       ///< metadata.name, else generateName
  std::string ns;         ///< empty: none is written
  PlacedFinding nothing;  ///< its place: a finding without a rule
  /// The places of the fields that it has, each a finding without a rule. Of objects with several
  /// templates those that only one of these has.
  std::map<PlacingField, PlacedFinding> fields;
};

/// All objects of Kubernetes in a text that lint_text() takes; none of one that it refuses.
std::vector<PlacedObject> objects_in(std::string_view text);

}  // namespace gpu::lint
