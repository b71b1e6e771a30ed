#include "schedule/quota_tree.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "schedule/amounts.hpp"
#include "schedule/quantity_text.hpp"

namespace gpu::schedule {
namespace {

/// A queue or a cohort, of one resource in one flavor.
struct Level {
  std::int64_t quota = 0;  ///< its own, and what those below it lend
  std::int64_t used = 0;   ///< of that
  std::int64_t kept = 0;   ///< of that, it lends nothing
  std::optional<std::int64_t> borrowing_limit;
  bool is_known = true;

  [[nodiscard]] std::int64_t lent() const { return quota - kept; }
  [[nodiscard]] std::int64_t used_of_lent() const { return std::max<std::int64_t>(0, used - kept); }
};

const FlavorQuota* quota_like(const std::vector<FlavorQuota>& quotas, const FlavorQuota& like) {
  const auto found = std::find_if(quotas.begin(), quotas.end(), [&](const FlavorQuota& each) {
    return each.flavor == like.flavor && each.resource == like.resource;
  });
  return found == quotas.end() ? nullptr : &*found;
}

/// Beyond this a tree goes round in a circle: nobody stacks as many.
constexpr std::size_t kMostLevels = 64;

const Cohort* cohort_called(const SchedulingFacts& facts, std::string_view name) {
  const auto found = std::find_if(facts.cohorts.begin(), facts.cohorts.end(),
                                  [&](const Cohort& each) { return each.name == name; });
  return found == facts.cohorts.end() ? nullptr : &*found;
}

std::string_view parent_of(const SchedulingFacts& facts, std::string_view name) {
  const Cohort* const found = cohort_called(facts, name);
  return found == nullptr ? std::string_view{} : found->parent;
}

std::int64_t compared(const FlavorQuota& quota, Quantity amount) {
  return compared_amount(quota.resource, amount);
}

void set_limits(Level& level, const FlavorQuota& quota) {
  if (quota.borrowing_limit) level.borrowing_limit = compared(quota, *quota.borrowing_limit);
  if (quota.lending_limit)
    level.kept = std::max<std::int64_t>(0, level.quota - compared(quota, *quota.lending_limit));
}

std::int64_t planned_of(const QueueTaken& before, const ClusterQueue& queue,
                        const FlavorQuota& quota) {
  const auto found = before.find({queue.name, quota.flavor, quota.resource});
  return found == before.end() ? 0 : found->second;
}

/// One flavor's quota of one resource, in all queues and cohorts.
class Levels {
 public:
  Levels(const SchedulingFacts& facts, const QueueTaken& before, const FlavorQuota& what)
      : facts_(facts), before_(before), what_(what) {}

  [[nodiscard]] Level of(const ClusterQueue& queue) const {
    Level level;
    const FlavorQuota* const quota = quota_like(queue.quotas, what_);
    if (quota == nullptr) return level;
    level.quota = compared(*quota, quota->nominal);
    level.is_known = quota->reserved.has_value();
    level.used = capped_sum(compared(*quota, quota->reserved.value_or(Quantity{})),
                            planned_of(before_, queue, what_));
    set_limits(level, *quota);
    return level;
  }

  /// From the queue up. A cohort that is its own parent's parent makes all of it unknown, as Kueue
  /// admits nothing there.
  [[nodiscard]] std::vector<Level> path_of(const ClusterQueue& queue) const {
    std::vector<Level> path = {of(queue)};
    std::vector<std::string_view> names;
    for (std::string_view name = queue.cohort; !name.empty(); name = parent_of(facts_, name)) {
      if (std::find(names.begin(), names.end(), name) != names.end()) {
        path.back().is_known = false;
        return path;
      }
      names.push_back(name);
    }
    for (const std::string_view name : names) path.push_back(of_cohort(name, 0));
    return path;
  }

 private:
  [[nodiscard]] Level of_cohort(std::string_view name, std::size_t depth) const {
    Level level;
    const Cohort* const own = cohort_called(facts_, name);
    const FlavorQuota* const quota = own == nullptr ? nullptr : quota_like(own->quotas, what_);
    if (quota != nullptr) level.quota = compared(*quota, quota->nominal);
    if (depth > kMostLevels) {
      level.is_known = false;
      return level;
    }
    for (const Cohort& each : facts_.cohorts)
      if (each.parent == name) add(level, of_cohort(each.name, depth + 1));
    for (const ClusterQueue& each : facts_.cluster_queues)
      if (each.cohort == name) add(level, of(each));
    if (quota != nullptr) set_limits(level, *quota);
    return level;
  }

  static void add(Level& above, const Level& below) {
    above.quota = capped_sum(above.quota, below.lent());
    above.used = capped_sum(above.used, below.used_of_lent());
    above.is_known = above.is_known && below.is_known;
  }

  const SchedulingFacts& facts_;
  const QueueTaken& before_;
  const FlavorQuota& what_;
};

/// From the root down to the queue: what each has of what its parent has.
std::int64_t free_in(const std::vector<Level>& path) {
  std::int64_t free = path.back().quota - path.back().used;
  for (auto level = std::next(path.rbegin()); level != path.rend(); ++level) {
    if (level->borrowing_limit)
      free = std::min(free,
                      capped_sum(level->lent() - level->used_of_lent(), *level->borrowing_limit));
    free = capped_sum(free, std::max<std::int64_t>(0, level->kept - level->used));
  }
  return free;
}

std::int64_t most_in(const std::vector<Level>& path) {
  std::int64_t most = path.back().quota;
  for (auto level = std::next(path.rbegin()); level != path.rend(); ++level) {
    most = capped_sum(most, level->kept);
    if (level->borrowing_limit)
      most = std::min(most, capped_sum(level->quota, *level->borrowing_limit));
  }
  return most;
}

}  // namespace

std::string_view root_cohort(const SchedulingFacts& facts, const ClusterQueue& queue) {
  std::string_view root = queue.cohort;
  for (std::size_t steps = 0; steps < kMostLevels; ++steps) {
    const std::string_view parent = parent_of(facts, root);
    if (parent.empty()) break;
    root = parent;
  }
  return root;
}

QuotaRoom QuotaTree::room(const ClusterQueue& queue, const FlavorQuota& quota) const {
  const std::vector<Level> path = Levels(facts_, before_, quota).path_of(queue);
  QuotaRoom room{.most = most_in(path)};
  if (std::all_of(path.begin(), path.end(), [](const Level& each) { return each.is_known; }))
    room.free = free_in(path);
  room.own_free = std::max<std::int64_t>(0, path.front().quota - path.front().used);
  return room;
}

std::int64_t QuotaTree::before(const ClusterQueue& queue, const FlavorQuota& quota) const {
  return planned_of(before_, queue, quota);
}

std::int64_t QuotaTree::before_in_tree(const ClusterQueue& queue, const FlavorQuota& quota) const {
  if (queue.cohort.empty()) return before(queue, quota);
  const std::string_view root = root_cohort(facts_, queue);
  std::int64_t all = 0;
  for (const ClusterQueue& each : facts_.cluster_queues)
    if (root_cohort(facts_, each) == root) all = capped_sum(all, before(each, quota));
  return all;
}

}  // namespace gpu::schedule
