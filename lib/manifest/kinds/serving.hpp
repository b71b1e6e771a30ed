#pragma once

#include <cstdint>
#include <string_view>

#include "manifest/fit/options.hpp"
#include "manifest/tree/tree.hpp"

namespace gpu::manifest {

/// How the pods of a server are replaced: old ones first, since new ones need their GPUs.
Tree update_strategy(std::int64_t replicas);

/// What a server answers at its port "http", and how long it may take to load its model.
struct ServerHealth {
  std::string_view ready;  ///< path that answers once the model is loaded
  std::string_view alive;  ///< path that answers while the process works
  int startup_minutes = 30;
};

/// Probes and hooks of its container.
Tree server_probes(const ServerHealth& health);

/// The variable HF_TOKEN from --hf-secret, or from the Secret hf-token where there is one.
Tree hf_token(const GenOptions& options);

}  // namespace gpu::manifest
