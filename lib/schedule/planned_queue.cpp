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
#include "schedule/queue_flavor.hpp"
#include "schedule/quota_tree.hpp"

namespace gpu::schedule {
namespace {

/// Amounts of a flavor's resources, as they are compared.
using Taken = std::map<std::pair<std::string, std::string>, std::int64_t>;

/// A flavor, with its quota for each resource. Flavors with the same resources are one group: of
/// each group one flavor serves a set of pods.
struct Flavor {
  std::string name;
  const ResourceFlavor* object = nullptr;  ///< null: was not read
  std::map<std::string, const FlavorQuota*> resources;

  [[nodiscard]] std::set<std::string> covered() const {
    std::set<std::string> names;
    for (const auto& [resource, quota] : resources) names.insert(resource);
    return names;
  }
};

const ResourceFlavor* resource_flavor(const SchedulingFacts& facts, std::string_view name) {
  const auto found = std::find_if(facts.resource_flavors.begin(), facts.resource_flavors.end(),
                                  [&](const ResourceFlavor& each) { return each.name == name; });
  return found == facts.resource_flavors.end() ? nullptr : &*found;
}

std::vector<Flavor> flavors_of(const SchedulingFacts& facts, const ClusterQueue& queue) {
  std::vector<Flavor> flavors;
  for (const FlavorQuota& quota : queue.quotas) {
    auto flavor = std::find_if(flavors.begin(), flavors.end(),
                               [&](const Flavor& each) { return each.name == quota.flavor; });
    if (flavor == flavors.end())
      flavor = flavors.insert(
          flavors.end(),
          {.name = quota.flavor, .object = resource_flavor(facts, quota.flavor), .resources = {}});
    flavor->resources[quota.resource] = &quota;
  }
  return flavors;
}

/// How Kueue looks for quota for the sets of pods of one workload.
class Assignment {
 public:
  Assignment(const SchedulingFacts& facts, const ClusterQueue& queue, const QueueTaken& before)
      : quotas_(facts, before), queue_(queue), flavors_(flavors_of(facts, queue)) {}

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
      if (std::string words = assign(set, asked, group); !words.empty()) return words;
    }
    return {};
  }

  [[nodiscard]] bool is_known() const { return is_known_; }
  /// "4 of 8 nvidia.com/gpu in flavor h100", for each quota that is used.
  [[nodiscard]] const std::vector<std::string>& used() const { return used_; }
  /// "8 nvidia.com/gpu in flavor h100": what others that are planned take where too little is left.
  [[nodiscard]] const std::set<std::string>& gone() const { return gone_; }
  /// How much it borrows, by "nvidia.com/gpu in flavor h100".
  [[nodiscard]] const std::map<std::string, std::string>& borrowed() const { return borrowed_; }
  [[nodiscard]] const Taken& taken() const { return taken_; }

 private:
  [[nodiscard]] bool covers(const std::string& resource) const {
    return std::any_of(flavors_.begin(), flavors_.end(),
                       [&](const Flavor& each) { return each.resources.contains(resource); });
  }

  /// By the first flavor that has enough; or by one that need not borrow, where the queue would
  /// rather go on than borrow.
  std::string assign(const PodSet& set, const std::map<std::string, std::int64_t>& asked,
                     const std::set<std::string>& group) {
    std::vector<std::string> why;
    const Flavor* best = nullptr;
    for (const Flavor& flavor : flavors_) {
      if (flavor.covered() != group) continue;
      const std::vector<std::string> lacks = lacks_of(flavor, set, asked, group);
      why.insert(why.end(), lacks.begin(), lacks.end());
      if (!lacks.empty()) continue;
      const bool is_better = best == nullptr || !borrows(flavor, asked);
      if (is_better) best = &flavor;
      if (!queue_.tries_next_before_borrowing || !borrows(flavor, asked)) break;
    }
    if (best == nullptr) {
      std::sort(why.begin(), why.end());  // as Kueue does
      return fmt::format("{}", fmt::join(why, ", "));
    }
    take(*best, asked);
    return {};
  }

  /// Calls `visit` with each resource that is asked for and that the flavor has: its quota, what
  /// sets of pods before this one take, and what this one asks for.
  template <class Visit>
  void each_asked(const Flavor& flavor, const std::map<std::string, std::int64_t>& asked,
                  Visit visit) const {
    for (const auto& [resource, quota] : flavor.resources) {
      const auto wanted = asked.find(resource);
      if (wanted == asked.end()) continue;
      const auto before = taken_.find({flavor.name, resource});
      visit(*quota, before == taken_.end() ? 0 : before->second, wanted->second);
    }
  }

  [[nodiscard]] bool borrows(const Flavor& flavor,
                             const std::map<std::string, std::int64_t>& asked) const {
    bool any = false;
    each_asked(flavor, asked, [&](const FlavorQuota& quota, std::int64_t before, std::int64_t now) {
      any = any || capped_sum(before, now) > quotas_.room(queue_, quota).own_free;
    });
    return any;
  }

  std::vector<std::string> lacks_of(const Flavor& flavor, const PodSet& set,
                                    const std::map<std::string, std::int64_t>& asked,
                                    const std::set<std::string>& group) {
    if (flavor.object != nullptr) {
      std::vector<const ResourceFlavor*> others;
      for (const Flavor& each : flavors_)
        if (each.object != nullptr && each.covered() == group) others.push_back(each.object);
      if (std::string words = flavor_mismatch(*flavor.object, others, set); !words.empty())
        return {std::move(words)};
    }
    std::vector<std::string> lacks;
    each_asked(flavor, asked, [&](const FlavorQuota& quota, std::int64_t before, std::int64_t now) {
      const std::int64_t all = capped_sum(before, now);
      const QuotaRoom room = quotas_.room(queue_, quota);
      is_known_ = is_known_ && room.free.has_value();
      if (all > room.most)
        lacks.push_back(fmt::format(
            "insufficient quota for {} in flavor {}, previously considered podsets requests ({}) + "
            "current podset request ({}) > maximum capacity ({})",
            quota.resource, flavor.name, amount_text(quota.resource, before),
            amount_text(quota.resource, now), amount_text(quota.resource, room.most)));
      else if (room.free && all > *room.free) {
        lacks.push_back(fmt::format("insufficient unused quota for {} in flavor {}, {} more needed",
                                    quota.resource, flavor.name,
                                    amount_text(quota.resource, all - *room.free)));
        if (const std::int64_t gone = quotas_.before_in_tree(queue_, quota); gone > 0)
          gone_.insert(fmt::format("{} {} in flavor {}", amount_text(quota.resource, gone),
                                   quota.resource, flavor.name));
      }
    });
    return lacks;
  }

  void take(const Flavor& flavor, const std::map<std::string, std::int64_t>& asked) {
    each_asked(flavor, asked, [&](const FlavorQuota& quota, std::int64_t before, std::int64_t now) {
      const std::int64_t all = capped_sum(before, now);
      if (quota.reserved) note_use(quota, all);
      taken_[{flavor.name, quota.resource}] = all;
    });
  }

  void note_use(const FlavorQuota& quota, std::int64_t all) {
    const std::string& resource = quota.resource;
    std::string text =
        fmt::format("{} of {} {} in flavor {}", quantity_text(resource, *quota.reserved),
                    quantity_text(resource, quota.nominal), resource, quota.flavor);
    if (const std::int64_t before = quotas_.before(queue_, quota); before > 0)
      text +=
          fmt::format(" (beside {} for what is planned before it)", amount_text(resource, before));
    if (const std::int64_t own = quotas_.room(queue_, quota).own_free; all > own)
      borrowed_[fmt::format("{} in flavor {}", resource, quota.flavor)] =
          amount_text(resource, all - own);
    if (std::find(used_.begin(), used_.end(), text) == used_.end())
      used_.push_back(std::move(text));
  }

  QuotaTree quotas_;
  const ClusterQueue& queue_;
  std::vector<Flavor> flavors_;
  Taken taken_;
  bool is_known_ = true;
  std::vector<std::string> used_;
  std::map<std::string, std::string> borrowed_;
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

bool knows_namespaces(const SchedulingFacts& facts) {
  return sight_of(facts, "namespaces") == Sight::whole;
}

/// Whether the quota of the queue's cohorts is known, with that of cohorts above them.
bool knows_cohort(const SchedulingFacts& facts, const ClusterQueue& queue) {
  return queue.cohort.empty() || sight_of(facts, "cohorts") == Sight::whole;
}

/// Whether the queue takes workloads of the namespace, as far as is known.
bool is_open_to(const SchedulingFacts& facts, const ClusterQueue& queue, const std::string& name) {
  if (!knows_namespaces(facts)) return true;
  const auto found = std::find_if(facts.namespaces.begin(), facts.namespaces.end(),
                                  [&](const Namespace& each) { return each.name == name; });
  // One that is made with what is planned has labels that nobody knows.
  if (found == facts.namespaces.end()) return true;
  return queue.namespace_selector && matches(*queue.namespace_selector, found->labels);
}

/// Beside quota: what else Kueue looks at before it admits.
std::vector<std::string> unseen(const SchedulingFacts& facts, const QueuedWorkload& planned,
                                const ClusterQueue& queue) {
  std::vector<std::string> all;
  if (!queue.admission_checks.empty())
    all.push_back(
        fmt::format("its admission checks ({})", fmt::join(queue.admission_checks, ", ")));
  if (sight_of(facts, "resourceflavors") != Sight::whole)
    all.emplace_back("whether its flavors are of nodes that the pods select and tolerate");
  else if (std::any_of(queue.quotas.begin(), queue.quotas.end(), [&](const FlavorQuota& quota) {
             const ResourceFlavor* const flavor = resource_flavor(facts, quota.flavor);
             return flavor != nullptr && !flavor->topology.empty();
           }))
    all.emplace_back("whether the topology of its flavors has places for all pods together");
  if (!knows_namespaces(facts) && !lets_in_others(facts, planned))
    all.emplace_back("whether it is open to this namespace");
  if (!knows_cohort(facts, queue))
    all.emplace_back("quotas of the cohort itself, and of those above it");
  return all;
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
  if (knows_cohort(cluster.snapshot().scheduling, queue)) return hold;
  constexpr std::string_view kNever = ": the queue can never give that much";
  for (Advice& each : hold.advice)
    if (each.summary.ends_with(kNever)) {
      each.summary.erase(each.summary.size() - kNever.size());
      hold.nearest = "more than the queues of its cohort have";
    }
  return hold;
}

/// "Kueue has quota for it: of ClusterQueue cq, 4 of 8 nvidia.com/gpu in flavor h100 are reserved".
std::string quota_text(const Assignment& assignment, const ClusterQueue& queue, bool is_sure) {
  std::string text = fmt::format(
      "{}: of ClusterQueue {}, {} are reserved",
      is_sure ? "Kueue has quota for it" : "Kueue may have quota for it, from its cohort too",
      queue.name, fmt::join(assignment.used(), ", "));
  for (const auto& [what, amount] : assignment.borrowed())
    text += fmt::format("; it borrows {} {} from cohort {}", amount, what, queue.cohort);
  return text;
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
  opinion.is_sure = knows_cohort(facts, *queue);
  Assignment assignment(facts, *queue, before);
  std::string words;
  if (!is_open_to(facts, *queue, planned.ns))
    words = "Workload namespace doesn't match ClusterQueue selector";
  for (const PodSet& set : planned.pod_sets)
    if (words.empty()) words = assignment.assign(set);
  std::vector<std::string> unknown = unseen(facts, planned, *queue);
  if (words.find("insufficient unused quota") != std::string::npos)
    unknown.emplace_back("whether Kueue would preempt others for it");
  if (!unknown.empty())
    opinion.not_checked.push_back(
        fmt::format("of ClusterQueue {}, {}", queue->name, fmt::join(unknown, ", and ")));
  if (!words.empty()) {
    opinion.hold = hold_by_quota(cluster, *queue, planned, words);
    if (!assignment.gone().empty())
      opinion.hold->remarks.push_back(
          {fmt::format("what is planned before it is taken to be admitted, with {}",
                       fmt::join(assignment.gone(), ", "))});
    return opinion;
  }
  for (const auto& [key, amount] : assignment.taken())
    if (amount > 0) opinion.takes[{queue->name, key.first, key.second}] = amount;
  if (!assignment.is_known())
    opinion.not_checked.push_back("how much of the quota of ClusterQueue " + queue->name +
                                  " is reserved, which Kueue does not say");
  else if (!assignment.used().empty())
    opinion.remarks.push_back({quota_text(assignment, *queue, opinion.is_sure)});
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
