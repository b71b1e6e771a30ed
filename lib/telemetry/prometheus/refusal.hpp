#pragma once

#include <string>
#include <string_view>

#include "telemetry/prometheus/place.hpp"
#include "telemetry/prometheus/query.hpp"

namespace gpu::telemetry {

/// What a server that is none of Kubernetes' says in `body`: the error of a JSON answer, the text
/// of a page, else the first line; cleaned, at most 200 bytes, and nothing where it says nothing.
std::string words_in(std::string_view body);

/// 401 and 403 of Prometheus, or of what stands before it: its own words, and what it may want: a
/// token, another one, or a tenant's header.
QueryProblem refusal_problem(const kube::Reply& reply, const PrometheusPlace& place);

/// Whether a server that says so wants to know whose the metrics are.
bool speaks_of_tenants(std::string_view words);

/// How a tenant is named.
std::string tenant_help();

}  // namespace gpu::telemetry
