#pragma once

#include <string>
#include <vector>

namespace gpu {

/// One version of a group, and the kinds that it serves.
struct ApiVersion {
  std::string name;                ///< "v1beta2"
  std::vector<std::string> kinds;  ///< "LocalQueue"
  friend bool operator==(const ApiVersion&, const ApiVersion&) = default;
};

/// What the API server serves of a group, by its aggregated discovery (apidiscovery.k8s.io).
struct ApiGroup {
  std::string name;                  ///< "batch"
  std::vector<ApiVersion> versions;  ///< the preferred one first
  friend bool operator==(const ApiGroup&, const ApiGroup&) = default;
};

}  // namespace gpu
