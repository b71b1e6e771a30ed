#pragma once

#include <string>
#include <vector>

#include "kube/config/connection.hpp"
#include "kube/config/kubeconfig.hpp"

namespace gpu::kube {

/// The entries of a kubeconfig that are in force, flags laid over them.
struct Selection {
  std::string context_name;
  std::string cluster_name;
  std::string user_name;
  ContextEntry context;
  ClusterEntry cluster;  ///< its server is empty only where --cluster names none
  UserEntry user;
};

/// The context, cluster and user that kubectl would take (client-go's DirectClientConfig), checked
/// as it checks them. Throws Error{config} in kubectl's words.
Selection select_entries(const Kubeconfig& config, const ConnectionFlags& flags,
                         const Environment& environment);

/// The server that kubectl falls back on: KUBERNETES_MASTER, else localhost:8080.
std::string default_server(const Environment& environment);

/// What is wrong with the selected user and cluster, in kubectl's words and order.
std::vector<std::string> problems_of(const Selection& selection);

}  // namespace gpu::kube
