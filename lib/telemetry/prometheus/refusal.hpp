#pragma once

#include <string>
#include <string_view>

#include "telemetry/prometheus/place.hpp"
#include "telemetry/prometheus/query.hpp"

namespace gpu::telemetry {

/// The message in `body` of a server that is not Kubernetes': the error of a JSON answer, the text
/// of a page, otherwise the first line; cleaned, at most 200 bytes, and empty if there is none.
std::string words_in(std::string_view body);

/// For a 401 or 403 of Prometheus, or of a proxy before it: its message, and what it may require: a
/// token, another one, or a tenant's header.
QueryProblem refusal_problem(const kube::Reply& reply, const PrometheusPlace& place);

/// Whether such a message says that the server requires a tenant.
bool speaks_of_tenants(std::string_view words);

/// How a tenant is named.
std::string tenant_help();

}  // namespace gpu::telemetry
