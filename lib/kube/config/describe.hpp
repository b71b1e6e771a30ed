#pragma once

#include <nlohmann/json.hpp>

#include "kube/config/connection.hpp"

namespace gpu::kube {

/// A connection without its secrets, to compare with kubectl's for the same flags.
nlohmann::json describe(const Connection& connection);

}  // namespace gpu::kube
