#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "model/queue.hpp"
#include "model/scheduling_facts.hpp"

namespace gpu::schedule {

/// What is planned takes of ClusterQueues: by queue, flavor and resource, as compared_amount() has
/// it.
using QueueTaken = std::map<std::tuple<std::string, std::string, std::string>, std::int64_t>;

/// What a ClusterQueue has of one resource in one flavor, as compared_amount() has it.
struct QuotaRoom {
  std::int64_t most = 0;  ///< with nobody else there: Kueue's "maximum capacity"
  /// nothing: how much is reserved somewhere in its cohorts is not known
  std::optional<std::int64_t> free;
  std::int64_t own_free = 0;  ///< beyond this it borrows
};

/// The cohort of a queue that is in no other: all queues of such a tree may lend each other quota.
/// Empty where the queue is in none.
std::string_view root_cohort(const SchedulingFacts& facts, const ClusterQueue& queue);

/// Quota as it goes up and down a tree of cohorts: what a queue or a cohort does not lend stays in
/// it, the rest is its parent's, and what it borrows is limited. `before` is what others that are
/// planned take. Source: sigs.k8s.io/kueue/pkg/cache/scheduler/resource_node.go. Refers to both.
class QuotaTree {
 public:
  QuotaTree(const SchedulingFacts& facts, const QueueTaken& before)
      : facts_(facts), before_(before) {}

  [[nodiscard]] QuotaRoom room(const ClusterQueue& queue, const FlavorQuota& quota) const;
  /// What others that are planned take of it, and of all queues of its tree.
  [[nodiscard]] std::int64_t before(const ClusterQueue& queue, const FlavorQuota& quota) const;
  [[nodiscard]] std::int64_t before_in_tree(const ClusterQueue& queue,
                                            const FlavorQuota& quota) const;

 private:
  const SchedulingFacts& facts_;
  const QueueTaken& before_;
};

}  // namespace gpu::schedule
