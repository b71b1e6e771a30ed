#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/resource_list.hpp"
#include "model/objects/volcano.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::admission {

/// Whether Volcano is to schedule a pod.
bool is_of_volcano(const Pod& pod);

/// Volcano's Queues and PodGroups by name; made once for all pods: Cluster::shared().
class VolcanoIndex {
 public:
  explicit VolcanoIndex(const scheduler::Cluster& cluster);
  /// Of the pods of the snapshot alone.
  static bool counts(const Pod& /*pod*/) { return false; }

  /// Null where there is none.
  [[nodiscard]] const VolcanoQueue* queue(std::string_view name) const;
  /// The Queue and those above it, as far as they exist.
  [[nodiscard]] std::vector<const VolcanoQueue*> chain(const VolcanoQueue& queue) const;
  /// The PodGroup that a pod names; null: it names none that was read.
  [[nodiscard]] const VolcanoPodGroup* group_of(const Pod& pod) const;
  /// The Queue that a pod is put into: its PodGroup's, else that of its annotations, else
  /// `default`.
  [[nodiscard]] std::string_view queue_of(const Pod& pod) const;
  /// What is allocated of a Queue and those below it: as its status says, or as its pods request
  /// where that is more. Nothing where that is not known.
  [[nodiscard]] std::optional<ResourceList> allocated(const VolcanoQueue& queue) const;
  /// What counts against its capability: also what groups that are let in still wait for.
  [[nodiscard]] std::optional<ResourceList> taken(const VolcanoQueue& queue) const;

 private:
  void add_groups(const scheduler::Cluster& cluster);

  std::map<std::string_view, const VolcanoQueue*> queues_;
  std::map<std::pair<std::string_view, std::string_view>, const VolcanoPodGroup*> groups_;
  std::map<std::string_view, ResourceList> held_;      ///< by Queue: what bound pods request
  std::map<std::string_view, ResourceList> expected_;  ///< by Queue: of groups that are let in
  bool knows_pods_ = false;
};

}  // namespace gpu::admission
