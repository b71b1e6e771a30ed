#pragma once

#include "base/error.hpp"
#include "kube/config/connection.hpp"
#include "kube/http/request.hpp"

namespace gpu::kube {

/// The error for a failed reply, with kubectl's first words: the reply's own error, or one from the
/// Status (or lack of one) in its body.
Error error_of(const Reply& reply, const Connection& connection);

}  // namespace gpu::kube
