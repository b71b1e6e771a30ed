#pragma once

#include "manifest/kinds/kind.hpp"

namespace gpu::manifest {

/// Refuses what cannot become an object of the kind: a name that it cannot carry, options that
/// contradict each other, objects that the cluster does not have, words that the API server does
/// not take. Throws Error{usage}.
void check_request(const GenKind& kind, const GenOptions& options, const ClusterFacts& facts);

/// Warns of what the objects name and the cluster does not have or does not take, where they are of
/// use all the same once it is there.
void warn_of_references(GenRequest& request);

}  // namespace gpu::manifest
