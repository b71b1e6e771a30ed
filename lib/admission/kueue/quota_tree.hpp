#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "model/objects/queue.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::admission {

/// What is planned takes of ClusterQueues: by queue, flavor and resource, as compared_amount() has
/// it.
using QueueTaken = std::map<std::tuple<std::string, std::string, std::string>, std::int64_t>;

/// Who is below whom, of cohorts and ClusterQueues; made once: Cluster::shared().
class CohortTree {
 public:
  explicit CohortTree(const scheduler::Cluster& cluster);

  /// The cohort of a queue, and those above it. They end where they would go round in a circle.
  [[nodiscard]] std::vector<std::string_view> above(const ClusterQueue& queue) const;
  /// A cohort and all below it, each after its parent.
  [[nodiscard]] std::vector<std::string_view> below(std::string_view name) const;
  /// The last of those above a queue: all queues of such a tree may lend each other quota. Empty:
  /// it is in none.
  [[nodiscard]] std::string_view root(const ClusterQueue& queue) const;
  /// Whether the cohorts above a queue are each other's parents: Kueue admits nothing there.
  [[nodiscard]] bool is_circle(const ClusterQueue& queue) const;

  /// Null of a cohort that is only a name which queues share.
  [[nodiscard]] const Cohort* cohort(std::string_view name) const;
  [[nodiscard]] const std::vector<const Cohort*>& cohorts_in(std::string_view name) const;
  [[nodiscard]] const std::vector<const ClusterQueue*>& queues_in(std::string_view name) const;

 private:
  [[nodiscard]] std::string_view parent_of(std::string_view name) const;

  std::unordered_map<std::string_view, const Cohort*> cohorts_;
  std::unordered_map<std::string_view, std::vector<const Cohort*>> cohorts_in_;  ///< by parent
  std::unordered_map<std::string_view, std::vector<const ClusterQueue*>> queues_in_;
};

/// What a ClusterQueue has of one resource in one flavor, as compared_amount() has it.
struct QuotaRoom {
  std::int64_t most = 0;  ///< with nobody else there: Kueue's "maximum capacity"
  /// nothing: how much is reserved somewhere in its cohorts is not known
  std::optional<std::int64_t> free;
  std::int64_t own_free = 0;  ///< beyond this it borrows
};

/// Quota as it goes up and down a tree of cohorts: what a queue or a cohort does not lend stays in
/// it, the rest is its parent's, and what it borrows is limited. `before` is what others that are
/// planned take. Source: sigs.k8s.io/kueue/pkg/cache/scheduler/resource_node.go. Refers to both.
class QuotaTree {
 public:
  QuotaTree(const CohortTree& tree, const QueueTaken& before) : tree_(tree), before_(before) {}

  /// All 0 and unknown of a queue in a circle of cohorts.
  [[nodiscard]] QuotaRoom room(const ClusterQueue& queue, const FlavorQuota& quota) const;
  /// What others that are planned take of it, and of all queues of its tree.
  [[nodiscard]] std::int64_t before(const ClusterQueue& queue, const FlavorQuota& quota) const;
  [[nodiscard]] std::int64_t before_in_tree(const ClusterQueue& queue,
                                            const FlavorQuota& quota) const;

 private:
  const CohortTree& tree_;
  const QueueTaken& before_;
};

}  // namespace gpu::admission
