#pragma once

#include <optional>
#include <string>
#include <vector>

#include "decode/metadata.hpp"
#include "model/pod.hpp"

namespace gpu::decode {

/// What the two forms of a pod say of its ResourceClaims before they are put together.
struct ClaimReferences {
  /// One entry of spec.resourceClaims.
  struct Reference {
    std::string name;
    std::string claim;  ///< resourceClaimName; empty for a template
  };
  /// One entry of status.resourceClaimStatuses.
  struct Made {
    std::string name;
    std::string claim;  ///< empty: the pod needs no claim for it
  };
  std::vector<Reference> references;
  std::vector<Made> made;
};

/// An empty map and none are the same bytes in protobuf, so they are the same for us.
std::optional<ResourceList> unless_empty(ResourceList&& list);

/// Moves `metadata` into `pod`.
void set_metadata(Pod& pod, Metadata&& metadata);

/// What follows from several fields together: names of claims, and the state of a resize.
void complete(Pod& pod, const ClaimReferences& claims);

}  // namespace gpu::decode
