#pragma once

#include <string>
#include <unordered_set>

#include "kube/http/client.hpp"
#include "kube/read/needs.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu::kube {

/// Keeps Snapshot::controllers complete while pods come and go: reads what is new only, and each
/// object once.
class LiveOwners {
 public:
  /// Reads the owners of the kept pods that are not known yet. When the server does not answer,
  /// they stay unknown until the next call.
  void read_new(Client& client, const Needs& needs, Snapshot& snapshot);

 private:
  std::unordered_set<std::string> asked_;  ///< uids
};

}  // namespace gpu::kube
