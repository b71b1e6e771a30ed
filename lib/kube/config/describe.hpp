#pragma once

#include <nlohmann/json.hpp>

#include "kube/config/connection.hpp"

namespace gpu::kube {

/// A connection without its secrets, for comparing with what kubectl makes of the same flags.
nlohmann::json describe(const Connection& connection);

}  // namespace gpu::kube
