#include "schedule/known_schedulers.hpp"

namespace gpu::schedule {

KnownSchedulers::KnownSchedulers(const Cluster& cluster) {
  const Snapshot& snapshot = cluster.snapshot();
  names_.insert(snapshot.scheduling.leases.begin(), snapshot.scheduling.leases.end());
  for (const Event& event : snapshot.scheduling.events) names_.insert(event.reporter);
  for (const Pod& pod : snapshot.pods)
    if (!pod.node_name.empty()) names_.insert(pod.scheduler_name);
}

}  // namespace gpu::schedule
