#pragma once

#include <optional>
#include <string>

#include "manifest/read/mistake.hpp"

namespace gpu::manifest {

/// Why no API server takes an object of a kind and version.
struct KindMistake {
  enum class Field { kind, api_version } field = Field::kind;  ///< the one that is wrong
  std::string problem;                                         ///< "no API server has ..."
  std::string help;  ///< "write apiVersion: apps/v1"; empty where nothing is near
};

/// Of Kubernetes' own kinds, as API servers 1.30 to 1.36 serve them, and of kinds of others in the
/// table of workloads: a name in another case or with a slip, a version that is gone, a group that
/// has no such kind. Nothing for kinds of groups that are not known: their CRDs are not read.
std::optional<KindMistake> kind_mistake(const KindName& name);

/// What cannot be told of a version that is newer than those known here: "whether the API server
/// has ray.io/v2, which is not known here"; empty for all others.
std::string unseen_version(const KindName& name);

}  // namespace gpu::manifest
