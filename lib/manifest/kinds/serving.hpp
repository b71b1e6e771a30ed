#pragma once

#include <cstdint>

#include "manifest/fit/options.hpp"
#include "manifest/tree/tree.hpp"

namespace gpu::manifest {

/// How the pods of a server are replaced: old ones first, since new ones need their GPUs.
Tree update_strategy(std::int64_t replicas);

/// The variable HF_TOKEN from --hf-secret, or from the Secret hf-token where there is one.
Tree hf_token(const GenOptions& options);

}  // namespace gpu::manifest
