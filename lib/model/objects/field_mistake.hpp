#pragma once

#include <string>

namespace gpu {

/// A field of a manifest for which the API server refuses the object.
struct FieldMistake {
  std::string message;     ///< the API server's words: "spec.containers[0].image: Required value"
  std::string advice;      ///< "put nvidia.com/gpu under resources.limits"
  std::string field = {};  ///< where it stands: "spec.restartPolicy"; empty: not told
  friend bool operator==(const FieldMistake&, const FieldMistake&) = default;
};

}  // namespace gpu
