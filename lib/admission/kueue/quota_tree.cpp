#include "admission/kueue/quota_tree.hpp"

#include <algorithm>
#include <set>

#include "scheduler/cluster/amounts.hpp"

namespace gpu::admission {
namespace {

/// Beyond this no sum or difference of a few overflows, and no cluster has as much.
constexpr std::int64_t kMost = std::int64_t{1} << 59;

std::int64_t bounded(std::int64_t amount) { return std::clamp(amount, -kMost, kMost); }

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

std::int64_t compared(const FlavorQuota& quota, Quantity amount) {
  return bounded(scheduler::compared_amount(quota.resource, amount));
}

void set_limits(Level& level, const FlavorQuota& quota) {
  if (quota.borrowing_limit) level.borrowing_limit = compared(quota, *quota.borrowing_limit);
  if (quota.lending_limit)
    level.kept = std::max<std::int64_t>(0, level.quota - compared(quota, *quota.lending_limit));
}

std::int64_t planned_of(const QueueTaken& before, const ClusterQueue& queue,
                        const FlavorQuota& quota) {
  const auto found = before.find({queue.name, quota.flavor, quota.resource});
  return found == before.end() ? 0 : bounded(found->second);
}

/// One flavor's quota of one resource, in all queues and cohorts.
class Levels {
 public:
  Levels(const CohortTree& tree, const QueueTaken& before, const FlavorQuota& what)
      : tree_(tree), before_(before), what_(what) {}

  /// From the queue up. Its cohorts are in no circle.
  [[nodiscard]] std::vector<Level> path_of(const ClusterQueue& queue) const {
    std::vector<Level> path = {of(queue)};
    if (queue.cohort.empty()) return path;
    // Those below come after those above: what they lend is known when the others are summed up.
    const std::vector<std::string_view> names = tree_.below(tree_.root(queue));
    std::unordered_map<std::string_view, Level> levels;
    for (auto name = names.rbegin(); name != names.rend(); ++name)
      levels[*name] = of_cohort(*name, levels);
    for (const std::string_view name : tree_.above(queue)) path.push_back(levels[name]);
    return path;
  }

 private:
  [[nodiscard]] Level of(const ClusterQueue& queue) const {
    Level level;
    const FlavorQuota* const quota = quota_like(queue.quotas, what_);
    if (quota == nullptr) return level;
    level.quota = compared(*quota, quota->nominal);
    level.is_known = quota->reserved.has_value();
    level.used = bounded(compared(*quota, quota->reserved.value_or(Quantity{})) +
                         planned_of(before_, queue, what_));
    set_limits(level, *quota);
    return level;
  }

  [[nodiscard]] Level of_cohort(std::string_view name,
                                const std::unordered_map<std::string_view, Level>& below) const {
    Level level;
    const Cohort* const own = tree_.cohort(name);
    const FlavorQuota* const quota = own == nullptr ? nullptr : quota_like(own->quotas, what_);
    if (quota != nullptr) level.quota = compared(*quota, quota->nominal);
    for (const Cohort* each : tree_.cohorts_in(name)) add(level, below.at(each->name));
    for (const ClusterQueue* each : tree_.queues_in(name)) add(level, of(*each));
    if (quota != nullptr) set_limits(level, *quota);
    return level;
  }

  static void add(Level& above, const Level& below) {
    above.quota = bounded(above.quota + below.lent());
    above.used = bounded(above.used + below.used_of_lent());
    above.is_known = above.is_known && below.is_known;
  }

  const CohortTree& tree_;
  const QueueTaken& before_;
  const FlavorQuota& what_;
};

/// From the root down to the queue: what each has of what its parent has.
std::int64_t free_in(const std::vector<Level>& path) {
  std::int64_t free = path.back().quota - path.back().used;
  for (auto level = std::next(path.rbegin()); level != path.rend(); ++level) {
    if (level->borrowing_limit)
      free = std::min(free, level->lent() - level->used_of_lent() + *level->borrowing_limit);
    free = bounded(free + std::max<std::int64_t>(0, level->kept - level->used));
  }
  return free;
}

std::int64_t most_in(const std::vector<Level>& path) {
  std::int64_t most = path.back().quota;
  for (auto level = std::next(path.rbegin()); level != path.rend(); ++level) {
    most = bounded(most + level->kept);
    if (level->borrowing_limit) most = std::min(most, level->quota + *level->borrowing_limit);
  }
  return most;
}

template <class Map>
const typename Map::mapped_type& found_in(const Map& map, std::string_view name) {
  static const typename Map::mapped_type kNone;
  const auto found = map.find(name);
  return found == map.end() ? kNone : found->second;
}

}  // namespace

CohortTree::CohortTree(const scheduler::Cluster& cluster) {
  const SchedulingFacts& facts = cluster.snapshot().scheduling;
  for (const Cohort& each : facts.cohorts) {
    const bool is_new = cohorts_.emplace(each.name, &each).second;
    if (is_new && !each.parent.empty()) cohorts_in_[each.parent].push_back(&each);
  }
  for (const ClusterQueue& each : facts.cluster_queues)
    if (!each.cohort.empty()) queues_in_[each.cohort].push_back(&each);
}

const Cohort* CohortTree::cohort(std::string_view name) const {
  const auto found = cohorts_.find(name);
  return found == cohorts_.end() ? nullptr : found->second;
}

const std::vector<const Cohort*>& CohortTree::cohorts_in(std::string_view name) const {
  return found_in(cohorts_in_, name);
}

const std::vector<const ClusterQueue*>& CohortTree::queues_in(std::string_view name) const {
  return found_in(queues_in_, name);
}

std::string_view CohortTree::parent_of(std::string_view name) const {
  const Cohort* const found = cohort(name);
  return found == nullptr ? std::string_view{} : found->parent;
}

std::vector<std::string_view> CohortTree::above(const ClusterQueue& queue) const {
  std::vector<std::string_view> names;
  std::set<std::string_view> seen;
  for (std::string_view name = queue.cohort; !name.empty() && seen.insert(name).second;
       name = parent_of(name))
    names.push_back(name);
  return names;
}

std::vector<std::string_view> CohortTree::below(std::string_view name) const {
  std::vector<std::string_view> names = {name};
  std::set<std::string_view> seen = {name};
  for (std::size_t i = 0; i < names.size(); ++i)
    for (const Cohort* each : cohorts_in(names[i]))
      if (seen.insert(each->name).second) names.push_back(each->name);
  return names;
}

std::string_view CohortTree::root(const ClusterQueue& queue) const {
  const std::vector<std::string_view> names = above(queue);
  return names.empty() ? std::string_view{} : names.back();
}

bool CohortTree::is_circle(const ClusterQueue& queue) const {
  return !parent_of(root(queue)).empty();
}

QuotaRoom QuotaTree::room(const ClusterQueue& queue, const FlavorQuota& quota) const {
  if (tree_.is_circle(queue)) return {};
  const std::vector<Level> path = Levels(tree_, before_, quota).path_of(queue);
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
  std::int64_t all = 0;
  for (const std::string_view name : tree_.below(tree_.root(queue)))
    for (const ClusterQueue* each : tree_.queues_in(name))
      all = bounded(all + before(*each, quota));
  return all;
}

}  // namespace gpu::admission
