#pragma once

#include "kube/http/client.hpp"
#include "kube/read/needs.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu::kube {

/// Reads the cluster: nodes, then the pods that the answer needs (on GPU nodes only). Throws if no
/// answer is possible; what is only partly read becomes a Gap.
Snapshot collect(Client& client, const Needs& needs);

}  // namespace gpu::kube
