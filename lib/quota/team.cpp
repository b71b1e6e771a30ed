#include "quota/team.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "admission/kai/index.hpp"
#include "admission/kueue/index.hpp"
#include "admission/kueue/quota_tree.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "model/snapshot/kai.hpp"

namespace gpu::quota {
namespace {

using Thing = std::tuple<Limiter, std::string, std::string>;  // kind, namespace, name

/// The things that a team means.
class Team {
 public:
  Team(const scheduler::Cluster& cluster, const VolcanoQueues& volcano, std::string_view name)
      : facts_(cluster.snapshot().scheduling),
        cluster_(cluster),
        index_(cluster.shared<admission::KueueIndex>()),
        tree_(cluster.shared<admission::CohortTree>()),
        volcano_(volcano),
        name_(name) {
    find_namespace();
    find_kueue();
    find_queues();
    for (const ResourceQuota& each : facts_.quotas)
      if (is_named(each.ns, each.name)) take(Limiter::resource_quota, each.ns, each.name);
  }

  [[nodiscard]] bool is_known() const { return is_known_; }
  [[nodiscard]] bool is_namespace() const { return is_namespace_; }
  [[nodiscard]] bool has(Limiter limiter, const std::string& ns, const std::string& name) const {
    const bool is_of_namespace =
        is_namespace_ && (ns == name_ || (limiter == Limiter::name_space && name == name_));
    return is_of_namespace || things_.contains({limiter, ns, name});
  }

 private:
  [[nodiscard]] bool is_named(const std::string& ns, const std::string& name) const {
    return name == name_ || ns + "/" + name == name_;
  }

  void take(Limiter limiter, const std::string& ns, const std::string& name) {
    is_known_ = true;
    things_.insert({limiter, ns, name});
  }

  void take_above(const ClusterQueue& queue) {
    take(Limiter::cluster_queue, {}, queue.name);
    for (const std::string_view cohort : tree_.above(queue))
      take(Limiter::cohort, {}, std::string(cohort));
  }

  void take_above(const LocalQueue& queue) {
    take(Limiter::local_queue, queue.ns, queue.name);
    if (const ClusterQueue* const behind = index_.cluster_queue(queue.cluster_queue))
      take_above(*behind);
  }

  void find_namespace() {
    const Snapshot& snapshot = cluster_.snapshot();
    const auto is_it = [&](const auto& each) { return each.ns == name_; };
    const auto has_it = [&](const auto& all) { return std::any_of(all.begin(), all.end(), is_it); };
    is_namespace_ = std::any_of(facts_.namespaces.begin(), facts_.namespaces.end(),
                                [&](const Namespace& each) { return each.name == name_; }) ||
                    has_it(snapshot.pods) || has_it(facts_.quotas) || has_it(facts_.local_queues) ||
                    has_it(facts_.volcano_pod_groups);
    if (!is_namespace_) return;
    is_known_ = true;
    for (const LocalQueue& each : facts_.local_queues)
      if (each.ns == name_) take_above(each);
    for (const VolcanoPodGroup& group : facts_.volcano_pod_groups)
      if (group.ns == name_) take_volcano(queue_of(group));
    const auto& kai = cluster_.shared<admission::KaiIndex>();
    for (const Pod& pod : snapshot.pods)
      if (pod.ns == name_ && is_of_kai(pod))
        if (const KaiQueue* const queue = kai.queue(kai_queue_of(pod)))
          for (const KaiQueue* each : kai.chain(*queue)) take(Limiter::kai_queue, {}, each->name);
  }

  void find_kueue() {
    for (const ClusterQueue& queue : facts_.cluster_queues)
      if (queue.name == name_) {
        take_above(queue);
        for (const LocalQueue& each : facts_.local_queues)
          if (each.cluster_queue == name_) take(Limiter::local_queue, each.ns, each.name);
      }
    for (const LocalQueue& each : facts_.local_queues)
      if (is_named(each.ns, each.name)) take_above(each);
    const bool is_cohort = tree_.cohort(name_) != nullptr || !tree_.queues_in(name_).empty() ||
                           !tree_.cohorts_in(name_).empty();
    if (!is_cohort) return;
    for (const std::string_view cohort : tree_.below(name_)) {
      take(Limiter::cohort, {}, std::string(cohort));
      for (const ClusterQueue* queue : tree_.queues_in(cohort))
        take(Limiter::cluster_queue, {}, queue->name);
    }
  }

  void take_volcano(std::string_view name) {
    for (const VolcanoQueue* each : volcano_.chain(name))
      take(Limiter::volcano_queue, {}, each->name);
  }

  /// A queue, those above and those below it.
  void find_queues() {
    for (const VolcanoQueue& queue : facts_.volcano_queues) {
      if (queue.name == name_) take_volcano(queue.name);
      for (const VolcanoQueue* above : volcano_.chain(queue.name))
        if (above->name == name_) take(Limiter::volcano_queue, {}, queue.name);
    }
    const auto& kai = cluster_.shared<admission::KaiIndex>();
    for (const KaiQueue& queue : facts_.kai_queues) {
      const bool is_it = queue.name == name_ || queue.display_name == name_;
      for (const KaiQueue* above : kai.chain(queue)) {
        if (is_it) take(Limiter::kai_queue, {}, above->name);
        if (above->name == name_ || (!above->display_name.empty() && above->display_name == name_))
          take(Limiter::kai_queue, {}, queue.name);
      }
    }
  }

  const SchedulingFacts& facts_;
  const scheduler::Cluster& cluster_;
  const admission::KueueIndex& index_;
  const admission::CohortTree& tree_;
  const VolcanoQueues& volcano_;
  std::string_view name_;
  std::set<Thing> things_;
  bool is_known_ = false;
  bool is_namespace_ = false;
};

[[noreturn]] void refuse(std::string_view team, const Snapshot& snapshot) {
  const std::vector<std::string> names = team_names(snapshot);
  const std::vector<std::string_view> choices(names.begin(), names.end());
  const auto near = nearest_name(team, choices);
  throw Error(
      ErrorKind::usage,
      fmt::format("there is no namespace, queue, cohort or ResourceQuota `{}`", sanitize(team)),
      near ? fmt::format("a similar one is `{}`", *near)
           : "see all of them\n      kubectl gpu quota");
}

}  // namespace

void keep_team(QuotaAnswer& answer, const scheduler::Cluster& cluster, const VolcanoQueues& volcano,
               std::string_view team) {
  const Team its(cluster, volcano, team);
  if (!its.is_known()) refuse(team, cluster.snapshot());
  const bool is_namespace = its.is_namespace();
  std::erase_if(answer.rows,
                [&](const QuotaRow& row) { return !its.has(row.limiter, row.ns, row.name); });
  std::set<std::tuple<Limiter, std::string, std::string>> kinds;
  for (const QuotaRow& row : answer.rows) {
    kinds.insert({row.limiter, row.resource, row.flavor});
    kinds.insert({row.limiter, row.resource, ""});
  }
  std::erase_if(answer.promises, [&](const Promise& promise) {
    return !kinds.contains({promise.limiter, promise.resource, promise.flavor});
  });
  std::erase_if(answer.waits, [&](const Wait& wait) {
    const bool is_waiting_there =
        is_namespace && std::any_of(wait.waiting.begin(), wait.waiting.end(),
                                    [&](const Party& party) { return party.ns == team; });
    const std::size_t slash = wait.queue.find('/');
    const bool is_of_namespace = wait.limiter == Limiter::resource_quota;
    const std::string ns = is_of_namespace ? wait.queue.substr(0, slash) : std::string();
    const std::string name = is_of_namespace ? wait.queue.substr(slash + 1) : wait.queue;
    // Others may wait for what a team holds.
    const bool is_held_here =
        std::any_of(wait.holders.begin(), wait.holders.end(), [&](const Party& party) {
          return (is_namespace && party.ns == team) || its.has(wait.limiter, {}, party.queue);
        });
    return !is_waiting_there && !is_held_here && !its.has(wait.limiter, ns, name);
  });
  std::erase_if(answer.idle, [&](const IdleHolder& holder) {
    return !(is_namespace && holder.ns == team) && !its.has(holder.limiter, {}, holder.queue) &&
           !its.has(holder.limiter, holder.ns, holder.queue.substr(holder.queue.find('/') + 1));
  });
}

}  // namespace gpu::quota
