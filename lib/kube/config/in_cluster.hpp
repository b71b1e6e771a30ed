#pragma once

#include <optional>
#include <string>

#include "kube/config/connection.hpp"

namespace gpu::kube {

/// Whether this program runs in a pod that has a service account.
bool in_cluster_possible(const Surroundings& surroundings);

/// The pod's own connection: the API server of its cluster, as its service account. Server and
/// credentials only; names and namespace stay empty.
Connection in_cluster_connection(const ConnectionFlags& flags, const Surroundings& surroundings);

/// POD_NAMESPACE, else the service account's namespace, else `default`.
std::string in_cluster_namespace(const Surroundings& surroundings);

}  // namespace gpu::kube
