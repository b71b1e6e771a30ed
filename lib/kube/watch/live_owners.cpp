#include "kube/watch/live_owners.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "decode/objects/metadata.hpp"
#include "kube/collect/owners.hpp"
#include "kube/read/collect_context.hpp"
#include "model/snapshot/workload.hpp"

namespace gpu::kube {
namespace {

/// The uid of the first object on the way up that is not known and that something may control.
std::optional<std::string> unknown_owner(const Pod& pod, const Snapshot& snapshot) {
  constexpr int kMostLevels = 8;
  std::optional<OwnerReference> at = decode::controller_of(pod.owners);
  for (int level = 0; level < kMostLevels && at; ++level) {
    const WorkloadKind* const kind = workload_kind(at->kind, at->api_version);
    if (kind == nullptr || !kind->may_be_owned) return std::nullopt;
    const auto known = snapshot.controllers.find(at->uid);
    if (known == snapshot.controllers.end()) return at->uid;
    at = known->second;
  }
  return std::nullopt;
}

}  // namespace

void LiveOwners::read_new(Client& client, const Needs& needs, Snapshot& snapshot) {
  Snapshot part;
  for (const Pod& pod : snapshot.pods)
    if (const auto uid = unknown_owner(pod, snapshot); uid && asked_.insert(*uid).second)
      part.pods.push_back(pod);
  if (part.pods.empty()) return;
  Needs owners_only;
  owners_only.ns = needs.ns;
  try {
    CollectContext reading(client, owners_only, part);
    read_owners(reading);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    asked_.clear();
    return;
  }
  snapshot.controllers.merge(part.controllers);
  for (Gap& gap : part.gaps) {
    const bool is_told = std::any_of(snapshot.gaps.begin(), snapshot.gaps.end(),
                                     [&](const Gap& known) { return known.what == gap.what; });
    if (!is_told) snapshot.gaps.push_back(std::move(gap));
  }
  // What pods of long ago belonged to must not pile up.
  constexpr std::size_t kSpare = 1000;
  if (asked_.size() <= 2 * snapshot.pods.size() + kSpare) return;
  keep_owners_of_pods(snapshot);
  asked_.clear();
}

}  // namespace gpu::kube
