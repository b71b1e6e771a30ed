#include "kube/collect/queue_owners.hpp"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "decode/objects/workload_object.hpp"
#include "kube/read/list_batch.hpp"
#include "kube/read/list_path.hpp"
#include "model/objects/workload_end.hpp"
#include "model/snapshot/workload.hpp"

namespace gpu::kube {
namespace {

/// Few Workloads hold quota without pods, and each costs a GET.
constexpr std::size_t kMostOwners = 32;

/// An object that a Workload stands for.
struct QueueOwner {
  const QueuedWorkload* workload = nullptr;  ///< never null
  const OwnerReference* owner = nullptr;     ///< of it, never null
  const WorkloadKind* kind = nullptr;        ///< of the owner, never null
};

/// All that stands above the kept pods, as far as it was read, by uid.
std::set<std::string_view> uids_above_pods(const Snapshot& snapshot) {
  std::set<std::string_view> uids;
  for (const Pod& pod : snapshot.pods)
    for (const OwnerReference& owner : pod.owners) uids.insert(owner.uid);
  for (const auto& [uid, controller] : snapshot.controllers)
    if (controller) uids.insert(controller->uid);
  return uids;
}

bool holds_quota(const QueuedWorkload& workload) {
  return is_true(workload.conditions, "Admitted") && !is_true(workload.conditions, "Finished") &&
         !is_true(workload.conditions, "Evicted");
}

std::int64_t pods_of(const QueuedWorkload& workload) {
  std::int64_t pods = 0;
  for (const PodSet& set : workload.pod_sets)
    pods += std::clamp<std::int64_t>(set.count, 0, 1 << 30);
  return pods;
}

std::vector<QueueOwner> owners_without_pods(const Snapshot& snapshot) {
  const std::set<std::string_view> above = uids_above_pods(snapshot);
  std::vector<QueueOwner> found;
  for (const QueuedWorkload& workload : snapshot.scheduling.workloads) {
    // The end of one of several owners is not the end of the others.
    if (workload.owners.size() != 1 || !holds_quota(workload)) continue;
    const OwnerReference& owner = workload.owners.front();
    const WorkloadKind* const kind = queued_kind(owner.kind, owner.api_version);
    if (kind != nullptr && can_end(owner.kind) && !above.contains(owner.uid))
      found.push_back({&workload, &owner, kind});
  }
  std::stable_sort(found.begin(), found.end(), [](const QueueOwner& a, const QueueOwner& b) {
    return pods_of(*a.workload) > pods_of(*b.workload);
  });
  found.resize(std::min(found.size(), kMostOwners));
  return found;
}

std::string path_of(const QueueOwner& at) {
  return (at.kind->group.empty() ? "/api/" : "/apis/") + at.owner->api_version + "/namespaces/" +
         percent_encoded(at.workload->ns) + "/" + std::string(at.kind->plural) + "/" +
         percent_encoded(at.owner->name);
}

}  // namespace

void read_queue_owners(CollectContext& reading) {
  Snapshot& snapshot = reading.snapshot();
  ListBatch batch(reading.client(), "application/json",
                  [&reading](std::size_t bytes) { reading.count_bytes(bytes); });
  for (const QueueOwner& at : owners_without_pods(snapshot)) {
    const auto take = [&reading, &snapshot, at](const nlohmann::json& object) {
      reading.tell(object, at.owner->api_version, at.kind->kind);
      try {
        WorkloadObject read =
            decode::workload_object_from_json(object, at.owner->api_version, at.kind->kind);
        // Another object may have the name by now.
        if (read.uid != at.owner->uid) return;
        read.pod.reset();
        snapshot.scheduling.queue_owners.push_back(std::move(read));
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::data) throw;
      }
    };
    batch.add(list_path(path_of(at), {}), ItemReader::of_objects(std::string(at.kind->kind), take));
  }
  batch.run();
}

}  // namespace gpu::kube
