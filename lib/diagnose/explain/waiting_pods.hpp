#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "model/objects/pod.hpp"
#include "model/snapshot/snapshot.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// Of pods that failed before they started, those that nobody waits for: their controllers have
/// others, or want none. Told once for all pods: Cluster::shared().
class ReplacedPods {
 public:
  explicit ReplacedPods(const Snapshot& snapshot);
  explicit ReplacedPods(const scheduler::Cluster& cluster) : ReplacedPods(cluster.snapshot()) {}

  [[nodiscard]] bool has(const Pod& pod) const { return replaced_.contains(&pod); }

 private:
  std::set<const Pod*> replaced_;
};

/// The pods of `ns` that are worth a row in the table of who waits, by namespace and age: those
/// that are not bound or not started, those that hold GPUs while a container of theirs cannot start
/// or exits again and again, and those that failed before they did anything. Of the last a
/// controller creates others: the newest stand for those that it lacks, see pods_to_replace().
/// Empty `ns`: of all namespaces.
std::vector<const Pod*> waiting_pods(const Snapshot& snapshot, std::string_view ns);

}  // namespace gpu::diagnose
