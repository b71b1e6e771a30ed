#pragma once

#include <optional>

#include "base/error.hpp"
#include "kube/config/connection.hpp"
#include "kube/http/endpoint.hpp"
#include "kube/http/transport_error.hpp"

namespace gpu::kube {

/// The error when TLS is the reason: whose certificate, and what to do; nothing when it is not.
std::optional<Error> tls_error(const TransportFailure& failure, const Connection& connection,
                               const Endpoint& endpoint);

}  // namespace gpu::kube
