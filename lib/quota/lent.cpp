#include "quota/lent.hpp"

#include <algorithm>
#include <set>

namespace gpu::quota {
namespace {

Quantity positive(Quantity amount) { return std::max(Quantity{}, amount); }

/// What a queue could lend and does not use: what it keeps to itself is used first.
Quantity unused_of(const FlavorQuota& quota) {
  const Quantity used = quota.reserved.value_or(Quantity{});
  const Quantity kept =
      quota.lending_limit ? positive(quota.nominal - *quota.lending_limit) : Quantity{};
  return positive(quota.nominal - kept - positive(used - kept));
}

}  // namespace

LentQuota::LentQuota(const scheduler::Cluster& cluster)
    : cohorts_(cluster.shared<admission::CohortTree>()) {
  const SchedulingFacts& facts = cluster.snapshot().scheduling;
  for (const ClusterQueue& queue : facts.cluster_queues) {
    if (queue.cohort.empty()) continue;
    for (const FlavorQuota& quota : queue.quotas) {
      Tree& tree = trees_[{cohorts_.root(queue), quota.flavor, quota.resource}];
      tree.is_known = tree.is_known && quota.reserved;
      tree.borrowed += positive(quota.reserved.value_or(Quantity{}) - quota.nominal);
      tree.lendable += unused_of(quota);
    }
  }
  std::set<std::string_view> roots;
  for (const ClusterQueue& queue : facts.cluster_queues)
    if (!queue.cohort.empty()) roots.insert(cohorts_.root(queue));
  for (const std::string_view root : roots)
    for (const std::string_view name : cohorts_.below(root))
      if (const Cohort* const cohort = cohorts_.cohort(name))
        for (const FlavorQuota& quota : cohort->quotas)
          trees_[{root, quota.flavor, quota.resource}].own += quota.nominal;
}

std::optional<Quantity> LentQuota::of(const ClusterQueue& queue, const FlavorQuota& quota) const {
  if (queue.cohort.empty()) return Quantity{};
  const auto found = trees_.find({cohorts_.root(queue), quota.flavor, quota.resource});
  if (found == trees_.end() || !found->second.is_known || cohorts_.is_circle(queue))
    return std::nullopt;
  const Tree& tree = found->second;
  const Quantity unused = unused_of(quota);
  const Quantity most = std::min(unused, tree.borrowed);
  const Quantity others = tree.own + (tree.lendable - unused);
  const Quantity least = std::min(most, positive(tree.borrowed - others));
  if (least != most) return std::nullopt;
  return most;
}

}  // namespace gpu::quota
