#pragma once

#include "base/error.hpp"
#include "kube/config/connection.hpp"
#include "kube/http/request.hpp"

namespace gpu::kube {

/// The error that a failed reply stands for, in kubectl's first words: its own error, or one made
/// of the Status (or lack of one) in its body.
Error error_of(const Reply& reply, const Connection& connection);

}  // namespace gpu::kube
