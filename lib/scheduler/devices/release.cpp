#include "scheduler/devices/release.hpp"

#include <algorithm>
#include <string_view>

namespace gpu::scheduler {

ReleasedClaims::ReleasedClaims(const Cluster& cluster, const EndedPods& ended) {
  std::unordered_set<std::string_view> uids;
  for (const Pod* pod : ended)
    if (!pod->uid.empty()) uids.insert(pod->uid);
  for (const ResourceClaim& claim : cluster.snapshot().claims) {
    if (uids.contains(claim.owner_uid)) {
      deleted_.insert(&claim);
      continue;
    }
    // What nobody has reserved stays allocated.
    const bool has_users = !claim.reserved_for.empty() && !claim.is_reserved_for_others;
    if (has_users && std::all_of(claim.reserved_for.begin(), claim.reserved_for.end(),
                                 [&](const ClaimUser& user) { return uids.contains(user.uid); }))
      deallocated_.insert(&claim);
  }
}

}  // namespace gpu::scheduler
