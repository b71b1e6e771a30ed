#pragma once

#include "kube/client.hpp"
#include "model/snapshot.hpp"

namespace gpu::kube {

/// Finds out whether nodes that are labelled as GPU nodes but advertise no GPU leave them to a DRA
/// driver: fills snapshot.dra_nodes. Asks only when there is such a node. Where ResourceSlices may
/// not be listed, a Gap says so; where the API is not served there is no DRA.
void read_dra_nodes(Client& client, Snapshot& snapshot);

}  // namespace gpu::kube
