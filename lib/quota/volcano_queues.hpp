#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/objects/volcano.hpp"
#include "quota/row.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::quota {

/// Volcano's Queues by name, their PodGroups, and the pods of these. Refers to the cluster.
class VolcanoQueues {
 public:
  explicit VolcanoQueues(const scheduler::Cluster& cluster);

  /// Null where there is none.
  [[nodiscard]] const VolcanoQueue* queue(std::string_view name) const;
  /// The queue and those above it.
  [[nodiscard]] std::vector<const VolcanoQueue*> chain(std::string_view name) const;
  /// The group that a pod says it is of; null: none that was read.
  [[nodiscard]] const VolcanoPodGroup* group_of(const Pod& pod) const;
  [[nodiscard]] const std::vector<const Pod*>& pods_of(const VolcanoPodGroup& group) const;
  /// What its pods that are bound have of a resource.
  [[nodiscard]] Quantity held_by(const VolcanoPodGroup& group, std::string_view resource) const;
  /// What it still waits for: of a group that was not started its minResources, or what pods that
  /// are not bound request.
  [[nodiscard]] Quantity awaited_by(const VolcanoPodGroup& group, std::string_view resource) const;

 private:
  std::map<std::string_view, const VolcanoQueue*> queues_;
  std::map<std::pair<std::string_view, std::string_view>, const VolcanoPodGroup*> groups_;
  std::map<const VolcanoPodGroup*, std::vector<const Pod*>> pods_;
};

/// The queue of a group: `default` where it names none.
std::string_view queue_of(const VolcanoPodGroup& group);

/// Whether Volcano has not started a group yet.
bool is_waiting(const VolcanoPodGroup& group);

/// A row for each resource of GPUs that a Queue limits, has, or that waits there.
std::vector<QuotaRow> volcano_rows(const scheduler::Cluster& cluster, const VolcanoQueues& queues);

}  // namespace gpu::quota
