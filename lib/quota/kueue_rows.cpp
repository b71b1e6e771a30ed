#include "quota/kueue_rows.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "admission/kueue/index.hpp"
#include "admission/kueue/quota_tree.hpp"
#include "quota/lent.hpp"

namespace gpu::quota {
namespace {

using admission::CohortTree;
using FlavorAndResource = std::pair<std::string, std::string>;

template <class T>
std::optional<T> either(const std::optional<T>& one, const std::optional<T>& other) {
  return one ? one : other;
}

/// Amounts as QuotaTree compares them: GPUs are whole.
std::optional<Quantity> whole(const std::optional<std::int64_t>& units) {
  if (!units) return std::nullopt;
  return Quantity::of(std::max<std::int64_t>(0, *units));
}

bool is_inactive(const std::vector<Condition>& conditions) {
  const Condition* const active = condition_of(conditions, "Active");
  return active != nullptr && active->status == "False";
}

/// Whether a queue admits anything.
enum class Gate { open, closed };

template <class Queue>
Gate gate_of(const Queue& queue) {
  const bool is_closed = admission::is_stopped(queue.stop_policy) || is_inactive(queue.conditions);
  return is_closed ? Gate::closed : Gate::open;
}

/// Why a queue admits nothing: its stopPolicy, else that Kueue says so.
template <class Queue>
std::string stop_of(const Queue& queue) {
  if (admission::is_stopped(queue.stop_policy)) return queue.stop_policy;
  return is_inactive(queue.conditions) ? "Inactive" : "";
}

const FlavorUse* use_in(const std::vector<FlavorUse>& uses, const FlavorQuota& quota) {
  const auto found = std::find_if(uses.begin(), uses.end(), [&](const FlavorUse& each) {
    return each.flavor == quota.flavor && each.resource == quota.resource;
  });
  return found == uses.end() ? nullptr : &*found;
}

Figures reported_by(const QueueStatus& status, const FlavorQuota& quota) {
  Figures told{.pending = status.pending, .reserving = status.reserving, .running = status.running};
  if (const FlavorUse* const use = use_in(status.reserved, quota)) {
    told.used = use->total;
    told.borrowed = use->borrowed;
  }
  if (const FlavorUse* const use = use_in(status.admitted, quota)) told.admitted = use->total;
  return told;
}

Quantity amount_in(const QueueCount::Amounts& amounts, const FlavorQuota& quota) {
  const auto found = amounts.find({quota.flavor, quota.resource});
  return found == amounts.end() ? Quantity{} : found->second;
}

Figures counted_in(const KueueCounts& counts, const QueueCount& count, const FlavorQuota& quota) {
  Figures own;
  if (counts.knows_held()) {
    own.used = amount_in(count.reserved, quota);
    own.admitted = amount_in(count.admitted, quota);
    own.reserving = count.reserving;
    own.running = count.running;
  }
  if (counts.knows_waiting()) own.pending = count.pending;
  return own;
}

void set_waiting(QuotaRow& row, const KueueCounts& counts, const QueueCount& count) {
  if (!counts.knows_waiting()) return;
  const auto found = count.waiting.find({row.flavor, row.resource});
  const Waiting waiting = found == count.waiting.end() ? Waiting{} : found->second;
  row.waiting = waiting.workloads;
  row.waiting_units = waiting.units;
}

class Rows {
 public:
  Rows(const scheduler::Cluster& cluster, const Cards& cards, const KueueCounts& counts)
      : facts_(cluster.snapshot().scheduling),
        index_(cluster.shared<admission::KueueIndex>()),
        tree_(cluster.shared<CohortTree>()),
        cards_(cards),
        counts_(counts),
        lent_(cluster) {}

  std::vector<QuotaRow> all() {
    for (const ClusterQueue& queue : facts_.cluster_queues)
      for (const FlavorQuota& quota : queue.quotas)
        if (counts_gpus(quota.resource)) add(queue, quota);
    add_cohorts();
    for (const LocalQueue& queue : facts_.local_queues) add(queue);
    return std::move(rows_);
  }

 private:
  void add(const ClusterQueue& queue, const FlavorQuota& quota) {
    QuotaRow row{.limiter = Limiter::cluster_queue,
                 .name = queue.name,
                 .resource = quota.resource,
                 .flavor = quota.flavor,
                 .key = "nominalQuota",
                 .parent = queue.cohort,
                 .limit = quota.nominal,
                 .lent = lent_.of(queue, quota),
                 .borrowing_limit = quota.borrowing_limit,
                 .lending_limit = quota.lending_limit,
                 .reported = reported_by(queue.status, quota),
                 .counted = counted_in(counts_, counts_.of(queue), quota)};
    if (row.counted.used)
      row.counted.borrowed = queue.cohort.empty()
                                 ? Quantity{}
                                 : std::max(Quantity{}, *row.counted.used - quota.nominal);
    row.used = either(row.reported.used, row.counted.used);
    row.borrowed = either(row.reported.borrowed, row.counted.borrowed);
    const admission::QueueTaken nothing;
    row.free = whole(admission::QuotaTree(tree_, nothing).room(queue, quota).free);
    if (gate_of(queue) == Gate::closed) row.free = Quantity{};
    set_waiting(row, counts_, counts_.of(queue));
    row.problem = problem_of(quota);
    if (row.problem == Problem::no_such_flavor) row.free = Quantity{};
    set_state(row, gate_of(queue));
    if (row.state == State::stopped) row.stop = stop_of(queue);
    rows_.push_back(std::move(row));
  }

  void add(const LocalQueue& queue) {
    const ClusterQueue* const behind = index_.cluster_queue(queue.cluster_queue);
    const QueueCount& count = counts_.of(queue);
    if (behind == nullptr) return add_orphan(queue, count);
    for (const FlavorQuota& quota : behind->quotas) {
      if (!counts_gpus(quota.resource)) continue;
      QuotaRow row{.limiter = Limiter::local_queue,
                   .ns = queue.ns,
                   .name = queue.name,
                   .resource = quota.resource,
                   .flavor = quota.flavor,
                   .key = "clusterQueue",
                   .parent = queue.cluster_queue,
                   .reported = reported_by(queue.status, quota),
                   .counted = counted_in(counts_, count, quota)};
      row.reported.borrowed.reset();
      row.used = either(row.reported.used, row.counted.used);
      const Gate gate = gate_of(queue) == Gate::closed ? Gate::closed : gate_of(*behind);
      const admission::QueueTaken nothing;
      row.free = gate == Gate::closed
                     ? std::optional(Quantity{})
                     : whole(admission::QuotaTree(tree_, nothing).room(*behind, quota).free);
      set_waiting(row, counts_, count);
      set_state(row, gate);
      // Where its ClusterQueue is stopped, that one says why.
      if (row.state == State::stopped) row.stop = stop_of(queue);
      rows_.push_back(std::move(row));
    }
  }

  /// Its ClusterQueue does not exist, or was not read: what is known of it is what its own status
  /// says, and what waits there, whatever its flavor will be.
  void add_orphan(const LocalQueue& queue, const QueueCount& count) {
    const bool is_missing = coverage_of(facts_, "clusterqueues") == Coverage::whole;
    for (const FlavorUse& use : queue.status.reserved) {
      if (is_missing || !counts_gpus(use.resource)) continue;
      const FlavorQuota quota{.flavor = use.flavor, .resource = use.resource};
      QuotaRow row = orphan_row(queue, quota, count);
      row.reported = reported_by(queue.status, quota);
      row.reported.borrowed.reset();
      row.counted = counted_in(counts_, count, quota);
      row.used = row.reported.used;
      set_state(row, gate_of(queue));
      rows_.push_back(std::move(row));
    }
    for (const auto& [key, waiting] : count.waiting) {
      if (!counts_gpus(key.second)) continue;
      QuotaRow row = orphan_row(queue, {.resource = std::string(key.second)}, count);
      if (is_missing) {
        row.free = Quantity{};
        row.problem = Problem::no_such_cluster_queue;
        row.state = State::no_effect;
      }
      rows_.push_back(std::move(row));
    }
  }

  [[nodiscard]] QuotaRow orphan_row(const LocalQueue& queue, const FlavorQuota& quota,
                                    const QueueCount& count) const {
    QuotaRow row{.limiter = Limiter::local_queue,
                 .ns = queue.ns,
                 .name = queue.name,
                 .resource = quota.resource,
                 .flavor = quota.flavor,
                 .key = "clusterQueue",
                 .parent = queue.cluster_queue,
                 .state = State::unknown};
    set_waiting(row, counts_, count);
    return row;
  }

  void add_cohorts() {
    std::set<std::string_view> names;
    for (const Cohort& each : facts_.cohorts) {
      names.insert(each.name);
      if (!each.parent.empty()) names.insert(each.parent);
    }
    for (const ClusterQueue& each : facts_.cluster_queues)
      if (!each.cohort.empty()) names.insert(each.cohort);
    for (const std::string_view name : names) add_cohort(name);
  }

  /// The sums of a cohort and of all below it.
  void add_cohort(std::string_view name) {
    std::map<FlavorAndResource, QuotaRow> sums;
    const std::vector<std::string_view> below = tree_.below(name);
    const Cohort* const own = tree_.cohort(name);
    const auto row_of = [&](const FlavorQuota& quota) -> QuotaRow& {
      const auto [at, is_new] = sums.try_emplace({quota.flavor, quota.resource});
      if (is_new)
        at->second = {.limiter = Limiter::cohort,
                      .name = std::string(name),
                      .resource = quota.resource,
                      .flavor = quota.flavor,
                      .key = "nominalQuota",
                      .parent = own == nullptr ? std::string() : own->parent,
                      .limit = Quantity{},
                      .used = Quantity{},
                      .free = Quantity{},
                      .borrowed = Quantity{},
                      .reported = {.used = Quantity{}, .borrowed = Quantity{}},
                      .counted = {.used = Quantity{}, .borrowed = Quantity{}}};
      return at->second;
    };
    for (const std::string_view each : below)
      if (const Cohort* const cohort = tree_.cohort(each))
        for (const FlavorQuota& quota : cohort->quotas)
          if (counts_gpus(quota.resource)) *row_of(quota).limit += quota.nominal;
    if (own != nullptr)
      for (const FlavorQuota& quota : own->quotas)
        if (counts_gpus(quota.resource)) {
          row_of(quota).borrowing_limit = quota.borrowing_limit;
          row_of(quota).lending_limit = quota.lending_limit;
        }
    const std::set<FlavorAndResource> of_members = add_members(below, row_of);
    for (auto& [key, row] : sums) {
      // What no queue may take yet is all there.
      if (!of_members.contains(key)) row.free = row.limit;
      set_state(row, Gate::open);
      rows_.push_back(std::move(row));
    }
  }

  /// The rows of ClusterQueues are there already. What these have quota of.
  template <class RowOf>
  std::set<FlavorAndResource> add_members(const std::vector<std::string_view>& below,
                                          RowOf row_of) {
    const std::set<std::string_view> cohorts(below.begin(), below.end());
    const std::size_t queues = rows_.size();
    std::set<FlavorAndResource> seen;
    for (std::size_t i = 0; i < queues; ++i) {
      const QuotaRow member = rows_[i];
      if (member.limiter != Limiter::cluster_queue || !cohorts.contains(member.parent)) continue;
      QuotaRow& sum = row_of({.flavor = member.flavor, .resource = member.resource});
      seen.insert({member.flavor, member.resource});
      const auto add = [](std::optional<Quantity>& all, const std::optional<Quantity>& one) {
        if (all && one)
          *all += *one;
        else
          all.reset();
      };
      add(sum.limit, member.limit);
      add(sum.used, member.used);
      add(sum.borrowed, member.borrowed);
      add(sum.reported.used, member.reported.used);
      add(sum.reported.borrowed, member.reported.borrowed);
      add(sum.counted.used, member.counted.used);
      add(sum.counted.borrowed, member.counted.borrowed);
      sum.free =
          sum.free && member.free ? std::optional(std::max(*sum.free, *member.free)) : std::nullopt;
      if (!member.waiting) continue;
      sum.waiting = sum.waiting.value_or(0) + *member.waiting;
      sum.waiting_units = sum.waiting_units.value_or(Quantity{}) + *member.waiting_units;
    }
    return seen;
  }

  [[nodiscard]] Problem problem_of(const FlavorQuota& quota) const {
    if (coverage_of(facts_, "resourceflavors") != Coverage::whole) return Problem::none;
    const ResourceFlavor* const flavor = flavor_named(facts_, quota.flavor);
    if (flavor == nullptr) return Problem::no_such_flavor;
    if (!cards_.is_known() || quota.nominal == Quantity{}) return Problem::none;
    if (!cards_.is_offered(quota.resource)) return Problem::not_advertised;
    if (!cards_.has_nodes(*flavor)) return Problem::flavor_without_nodes;
    const Existing there = cards_.of(quota.resource, *flavor);
    return there.unit.empty() ? Problem::not_on_flavor : Problem::none;
  }

  static void set_state(QuotaRow& row, Gate gate) {
    const bool may_borrow = row.limiter != Limiter::cluster_queue || !row.parent.empty();
    if (row.problem == Problem::no_such_flavor)
      row.state = State::no_effect;
    else if (gate == Gate::closed)
      row.state = State::stopped;
    else if (!row.used)
      row.state = State::unknown;
    else if (row.limit && *row.limit < *row.used && !may_borrow)
      row.state = State::over;
    else if (!row.free && row.limit)
      row.state = *row.limit <= *row.used && !may_borrow ? State::full : State::unknown;
    else
      row.state = row.free == Quantity{} ? State::full : State::ok;
  }

  const SchedulingFacts& facts_;
  const admission::KueueIndex& index_;
  const CohortTree& tree_;
  const Cards& cards_;
  const KueueCounts& counts_;
  LentQuota lent_;
  std::vector<QuotaRow> rows_;
};

}  // namespace

std::vector<QuotaRow> kueue_rows(const scheduler::Cluster& cluster, const Cards& cards,
                                 const KueueCounts& counts) {
  return Rows(cluster, cards, counts).all();
}

}  // namespace gpu::quota
