#include "schedule/planned_queue.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "schedule/amounts.hpp"
#include "schedule/kueue_index.hpp"
#include "schedule/kueue_quota.hpp"
#include "schedule/quantity_text.hpp"

namespace gpu::schedule {
namespace {

/// Amounts of a flavor's resources, as they are compared.
using Taken = std::map<std::pair<std::string, std::string>, std::int64_t>;

std::int64_t compared(const FlavorQuota& quota, Quantity amount) {
  return compared_amount(quota.resource, amount);
}

/// A ClusterQueue's quota, and what the others of its cohort have of the same.
class Quotas {
 public:
  Quotas(const Cluster& cluster, const ClusterQueue& queue, const QueueTaken& before)
      : facts_(cluster.snapshot().scheduling), queue_(queue), before_(before) {}

  /// Nothing where it is not known how much is reserved.
  [[nodiscard]] std::optional<std::int64_t> free(const FlavorQuota& quota) const {
    if (!quota.reserved) return std::nullopt;
    const std::int64_t own =
        most_of_its_own(quota) - capped_sum(compared(quota, *quota.reserved), before(quota));
    if (queue_.cohort.empty()) return own;
    std::int64_t of_all = -before_in_cohort(quota);
    for (const FlavorQuota* each : in_cohort(quota)) {
      if (!each->reserved) return std::nullopt;
      of_all += compared(*each, each->nominal) - compared(*each, *each->reserved);
    }
    return std::min(own, of_all);
  }

  /// What others that are planned take of it.
  [[nodiscard]] std::int64_t before(const FlavorQuota& quota) const {
    return before_of(queue_, quota);
  }

  /// The same, of all queues of its cohort.
  [[nodiscard]] std::int64_t before_in_cohort(const FlavorQuota& quota) const {
    if (queue_.cohort.empty()) return before(quota);
    std::int64_t all = 0;
    for (const ClusterQueue& queue : facts_.cluster_queues)
      if (queue.cohort == queue_.cohort) all = capped_sum(all, before_of(queue, quota));
    return all;
  }

  /// What it could have with nobody else there.
  [[nodiscard]] std::int64_t most(const FlavorQuota& quota) const {
    std::int64_t of_all = compared(quota, quota.nominal);
    if (!queue_.cohort.empty()) {
      of_all = 0;
      for (const FlavorQuota* each : in_cohort(quota))
        of_all = capped_sum(of_all, compared(*each, each->nominal));
    }
    return std::min(most_of_its_own(quota), of_all);
  }

 private:
  /// With what it may borrow; without a limit, as much as there is.
  [[nodiscard]] std::int64_t most_of_its_own(const FlavorQuota& quota) const {
    constexpr std::int64_t kNoLimit = std::int64_t{1} << 62;
    const std::int64_t nominal = compared(quota, quota.nominal);
    if (queue_.cohort.empty()) return nominal;
    if (!quota.borrowing_limit) return kNoLimit;
    return capped_sum(nominal, compared(quota, *quota.borrowing_limit));
  }

  [[nodiscard]] std::int64_t before_of(const ClusterQueue& queue, const FlavorQuota& quota) const {
    const auto found = before_.find({queue.name, quota.flavor, quota.resource});
    return found == before_.end() ? 0 : found->second;
  }

  [[nodiscard]] std::vector<const FlavorQuota*> in_cohort(const FlavorQuota& quota) const {
    std::vector<const FlavorQuota*> found;
    for (const ClusterQueue& queue : facts_.cluster_queues) {
      if (queue.cohort != queue_.cohort) continue;
      for (const FlavorQuota& each : queue.quotas)
        if (each.flavor == quota.flavor && each.resource == quota.resource) found.push_back(&each);
    }
    return found;
  }

  const SchedulingFacts& facts_;
  const ClusterQueue& queue_;
  const QueueTaken& before_;
};

/// A flavor, with its quota for each resource. Flavors with the same resources are one group: of
/// each group one flavor serves a set of pods.
struct Flavor {
  std::string name;
  std::map<std::string, const FlavorQuota*> resources;

  [[nodiscard]] std::set<std::string> covered() const {
    std::set<std::string> names;
    for (const auto& [resource, quota] : resources) names.insert(resource);
    return names;
  }
};

std::vector<Flavor> flavors_of(const ClusterQueue& queue) {
  std::vector<Flavor> flavors;
  for (const FlavorQuota& quota : queue.quotas) {
    auto flavor = std::find_if(flavors.begin(), flavors.end(),
                               [&](const Flavor& each) { return each.name == quota.flavor; });
    if (flavor == flavors.end()) flavor = flavors.insert(flavors.end(), {.name = quota.flavor});
    flavor->resources[quota.resource] = &quota;
  }
  return flavors;
}

/// How Kueue looks for quota for the sets of pods of one workload.
class Assignment {
 public:
  Assignment(const Cluster& cluster, const ClusterQueue& queue, const QueueTaken& before)
      : quotas_(cluster, queue, before), flavors_(flavors_of(queue)) {}

  /// Kueue's words for why there is none; empty: there is.
  std::string assign(const PodSet& set) {
    std::map<std::string, std::int64_t> asked;
    for (const auto& [name, amount] : set.requests)
      if (const std::int64_t all = capped_product(compared_amount(name, amount), set.count);
          all > 0)
        asked[name] = all;
    if (covers("pods")) asked["pods"] = set.count;
    for (const auto& [resource, amount] : asked)
      if (!covers(resource))
        return fmt::format("resource {} unavailable in ClusterQueue", resource);
    std::set<std::set<std::string>> groups;
    for (const Flavor& flavor : flavors_) {
      const std::set<std::string> group = flavor.covered();
      if (!groups.insert(group).second) continue;
      if (std::string words = assign(asked, group); !words.empty()) return words;
    }
    return {};
  }

  [[nodiscard]] bool is_known() const { return is_known_; }
  /// "4 of 8 nvidia.com/gpu in flavor h100", for each quota that is used.
  [[nodiscard]] const std::vector<std::string>& used() const { return used_; }
  /// "8 nvidia.com/gpu in flavor h100": what others that are planned take where too little is left.
  [[nodiscard]] const std::set<std::string>& gone() const { return gone_; }
  [[nodiscard]] const Taken& taken() const { return taken_; }

 private:
  [[nodiscard]] bool covers(const std::string& resource) const {
    return std::any_of(flavors_.begin(), flavors_.end(),
                       [&](const Flavor& each) { return each.resources.contains(resource); });
  }

  std::string assign(const std::map<std::string, std::int64_t>& asked,
                     const std::set<std::string>& group) {
    std::vector<std::string> why;
    for (const Flavor& flavor : flavors_) {
      if (flavor.covered() != group) continue;
      const std::vector<std::string> lacks = lacks_of(flavor, asked);
      if (lacks.empty()) {
        take(flavor, asked);
        return {};
      }
      why.insert(why.end(), lacks.begin(), lacks.end());
    }
    return fmt::format("{}", fmt::join(why, ", "));
  }

  std::vector<std::string> lacks_of(const Flavor& flavor,
                                    const std::map<std::string, std::int64_t>& asked) {
    std::vector<std::string> lacks;
    for (const auto& [resource, quota] : flavor.resources) {
      const auto wanted = asked.find(resource);
      if (wanted == asked.end()) continue;
      const std::int64_t before = taken_[{flavor.name, resource}];
      const std::int64_t all = capped_sum(before, wanted->second);
      const std::optional<std::int64_t> free = quotas_.free(*quota);
      is_known_ = is_known_ && free.has_value();
      if (const std::int64_t most = quotas_.most(*quota); all > most)
        lacks.push_back(fmt::format(
            "insufficient quota for {} in flavor {}, previously considered podsets requests ({}) + "
            "current podset request ({}) > maximum capacity ({})",
            resource, flavor.name, amount_text(resource, before),
            amount_text(resource, wanted->second), amount_text(resource, most)));
      else if (free && all > *free) {
        lacks.push_back(fmt::format("insufficient unused quota for {} in flavor {}, {} more needed",
                                    resource, flavor.name, amount_text(resource, all - *free)));
        if (const std::int64_t gone = quotas_.before_in_cohort(*quota); gone > 0)
          gone_.insert(fmt::format("{} {} in flavor {}", amount_text(resource, gone), resource,
                                   flavor.name));
      }
    }
    return lacks;
  }

  void take(const Flavor& flavor, const std::map<std::string, std::int64_t>& asked) {
    for (const auto& [resource, quota] : flavor.resources) {
      const auto wanted = asked.find(resource);
      if (wanted == asked.end()) continue;
      std::int64_t& taken = taken_[{flavor.name, resource}];
      taken = capped_sum(taken, wanted->second);
      if (!quota->reserved) continue;
      std::string text =
          fmt::format("{} of {} {} in flavor {}", quantity_text(resource, *quota->reserved),
                      quantity_text(resource, quota->nominal), resource, flavor.name);
      if (const std::int64_t before = quotas_.before(*quota); before > 0)
        text += fmt::format(" (beside {} for what is planned before it)",
                            amount_text(resource, before));
      if (std::find(used_.begin(), used_.end(), text) == used_.end())
        used_.push_back(std::move(text));
    }
  }

  Quotas quotas_;
  std::vector<Flavor> flavors_;
  Taken taken_;
  bool is_known_ = true;
  std::vector<std::string> used_;
  std::set<std::string> gone_;
};

/// Whether Kueue runs here, as far as its objects tell.
bool has_kueue(const SchedulingFacts& facts) {
  return !facts.local_queues.empty() || !facts.cluster_queues.empty() || !facts.workloads.empty() ||
         std::any_of(facts.namespaces.begin(), facts.namespaces.end(),
                     [](const Namespace& each) { return each.name == "kueue-system"; });
}

/// Whether something of the same queue was let in: then its namespace is.
bool lets_in_others(const SchedulingFacts& facts, const QueuedWorkload& planned) {
  return std::any_of(facts.workloads.begin(), facts.workloads.end(), [&](const auto& each) {
    return each.ns == planned.ns && each.queue == planned.queue && !each.cluster_queue.empty();
  });
}

std::string unseen(const SchedulingFacts& facts, const QueuedWorkload& planned,
                   const ClusterQueue& queue) {
  return fmt::format(
      "of ClusterQueue {} its admission checks, and whether its flavors are of nodes that the pods "
      "select and tolerate{}{}",
      queue.name,
      lets_in_others(facts, planned) ? "" : ", and whether it is open to this namespace",
      queue.cohort.empty() ? "" : ", and limits on lending and quotas of the cohort itself");
}

/// Kueue would write what is missing into the workload: it is explained as it is later.
QueueHold hold_by_quota(const Cluster& cluster, const ClusterQueue& queue, QueuedWorkload planned,
                        const std::string& words) {
  Condition reserved{};
  reserved.type = "QuotaReserved";
  reserved.status = "False";
  reserved.reason = "Pending";
  reserved.message = "couldn't assign flavors to pod set main: " + words;
  planned.conditions.push_back(std::move(reserved));
  QueueHold hold = queue_hold(cluster, planned).value_or(QueueHold{});
  hold.summary = words;
  if (hold.advice.empty())
    hold.advice.push_back({.summary = "take a queue that has this resource, or leave it out"});
  if (queue.cohort.empty()) return hold;
  constexpr std::string_view kNever = ": the queue can never give that much";
  for (Advice& each : hold.advice)
    if (each.summary.ends_with(kNever)) {
      each.summary.erase(each.summary.size() - kNever.size());
      hold.nearest = "more than the queues of its cohort have";
    }
  return hold;
}

}  // namespace

void add_taken(QueueTaken& all, const QueueTaken& more) {
  for (const auto& [key, amount] : more) all[key] = capped_sum(all[key], amount);
}

QueueOpinion queue_opinion(const Cluster& cluster, const QueuedWorkload& planned,
                           const QueueTaken& before) {
  const SchedulingFacts& facts = cluster.snapshot().scheduling;
  QueueOpinion opinion;
  if (sight_of(facts, "localqueues") != Sight::whole ||
      sight_of(facts, "clusterqueues") != Sight::whole) {
    opinion.not_checked.push_back(fmt::format(
        "what Kueue does with it, for its queue {}: no queues were read", planned.queue));
    return opinion;
  }
  if (!has_kueue(facts)) {
    opinion.remarks.push_back({fmt::format(
        "its queue {} has no effect: nothing of Kueue is in this cluster", planned.queue)});
    return opinion;
  }
  opinion.hold = hold_before_quota(cluster, planned);
  if (opinion.hold) return opinion;
  const auto& index = cluster.shared<KueueIndex>();
  const LocalQueue* const local = index.local_queue(planned);
  const ClusterQueue* const queue =
      local == nullptr ? nullptr : index.cluster_queue(local->cluster_queue);
  if (queue == nullptr) return opinion;
  opinion.is_sure = queue->cohort.empty();
  Assignment assignment(cluster, *queue, before);
  std::string words;
  for (const PodSet& set : planned.pod_sets)
    if (words.empty()) words = assignment.assign(set);
  opinion.not_checked.push_back(unseen(facts, planned, *queue));
  if (!words.empty()) {
    opinion.hold = hold_by_quota(cluster, *queue, planned, words);
    if (!assignment.gone().empty())
      opinion.hold->remarks.push_back(
          {fmt::format("what is planned before it is taken to be admitted, with {}",
                       fmt::join(assignment.gone(), ", "))});
    if (words.find("insufficient unused quota") != std::string::npos)
      opinion.not_checked.back() += ", and whether Kueue would preempt others for it";
    return opinion;
  }
  for (const auto& [key, amount] : assignment.taken())
    if (amount > 0) opinion.takes[{queue->name, key.first, key.second}] = amount;
  if (!assignment.is_known())
    opinion.not_checked.push_back("how much of the quota of ClusterQueue " + queue->name +
                                  " is reserved, which Kueue does not say");
  else if (!assignment.used().empty())
    opinion.remarks.push_back(
        {fmt::format("{}: of ClusterQueue {}, {} are reserved",
                     opinion.is_sure ? "Kueue has quota for it"
                                     : "Kueue may have quota for it, from its cohort too",
                     queue->name, fmt::join(assignment.used(), ", "))});
  return opinion;
}

void add_queue_opinion(Explanation& answer, const QueueOpinion& opinion) {
  answer.not_checked.insert(answer.not_checked.end(), opinion.not_checked.begin(),
                            opinion.not_checked.end());
  answer.remarks.insert(answer.remarks.end(), opinion.remarks.begin(), opinion.remarks.end());
  if (!opinion.hold) return;
  const QueueHold& hold = *opinion.hold;
  std::vector<Remark> remarks = hold.remarks;
  remarks.push_back({"once it is admitted: " + answer.summary});
  answer.remarks.insert(answer.remarks.begin(), remarks.begin(), remarks.end());
  answer.advice.insert(answer.advice.begin(), hold.advice.begin(), hold.advice.end());
  answer.not_checked.insert(answer.not_checked.end(), hold.not_checked.begin(),
                            hold.not_checked.end());
  answer.is_blocked = true;
  answer.code = Code::held_by_queue;
  constexpr std::string_view kPassedOver = "Kueue does not look at it";
  answer.summary =
      hold.summary.starts_with(kPassedOver)
          ? "Kueue would not look at it" + hold.summary.substr(kPassedOver.size())
          : fmt::format("Kueue would hold it back{}: {}",
                        opinion.is_sure ? "" : ", as far as could be checked", hold.summary);
  answer.nearest = hold.nearest;
}

}  // namespace gpu::schedule
