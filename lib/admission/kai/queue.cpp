#include "admission/kai/queue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "admission/kai/bound.hpp"
#include "admission/kai/index.hpp"
#include "base/contains.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "model/snapshot/kai.hpp"

namespace gpu::admission {
namespace {

/// A bound of a Queue that the pod would go beyond.
struct Excess {
  const KaiQueue* queue = nullptr;
  KaiRoom room;
  Quantity more;  ///< what the pod requests
};

/// "Queue team-a (Team A, parent research)".
std::string queue_text(const KaiQueue& queue) {
  std::vector<std::string> more;
  if (!queue.display_name.empty() && queue.display_name != queue.name)
    more.push_back(queue.display_name);
  if (!queue.parent.empty()) more.push_back("parent " + queue.parent);
  return "Queue " + queue.name + (more.empty() ? "" : " (" + joined(more) + ")");
}

/// Whether a Queue limits nothing at all, as the default one of KAI.
bool is_unbound(const KaiQueue* queue) {
  return std::none_of(queue->allowances.begin(), queue->allowances.end(),
                      [](const KaiAllowance& each) { return each.quota || each.limit; });
}

/// The label in which the pod names its Queue.
std::string_view label_of(const Pod& pod) {
  const auto* const label =
      std::find_if(kKaiQueueLabels.begin(), kKaiQueueLabels.end(),
                   [&](std::string_view each) { return !value_of(pod.labels, each).empty(); });
  return label == kKaiQueueLabels.end() ? std::string_view{} : *label;
}

KaiAnswer without_queue(const scheduler::Cluster& cluster, const Pod& pod) {
  const std::string_view name = kai_queue_of(pod);
  std::vector<std::string_view> names;
  for (const KaiQueue& each : cluster.snapshot().scheduling.kai_queues)
    names.emplace_back(each.name);
  const auto near = nearest_name(name, names);
  KaiAnswer answer;
  answer.hold =
      KaiHold{.summary = fmt::format("Queue {}, which the pod names in the label {}, does "
                                     "not exist, and KAI leaves out pods of such a Queue",
                                     name, label_of(pod)),
              .nearest = fmt::format("Queue {} does not exist", name)};
  answer.advice.push_back(
      {.summary = fmt::format("create the Queue, or correct the label {}{}", label_of(pod),
                              near ? fmt::format(": there is a Queue {}", *near) : ""),
       .command = "kubectl get queues.scheduling.run.ai"});
  return answer;
}

/// KAI leaves out a Queue above which one is missing, and pods of a Queue that has others below it.
std::optional<KaiAnswer> closed_queue(const KaiIndex& index,
                                      const std::vector<const KaiQueue*>& chain) {
  const KaiQueue& own = *chain.front();
  const std::string& missing = chain.back()->parent;
  KaiAnswer answer;
  if (!missing.empty() && index.queue(missing) == nullptr) {
    answer.hold = KaiHold{
        .summary = fmt::format("Queue {}, the parent of Queue {}, does not exist, and KAI leaves "
                               "out all Queues below it",
                               missing, chain.back()->name),
        .nearest = fmt::format("Queue {} does not exist", missing)};
    answer.advice.push_back({.summary = fmt::format("create the Queue {}, or correct "
                                                    "spec.parentQueue of Queue {}",
                                                    missing, chain.back()->name),
                             .command = "kubectl get queues.scheduling.run.ai"});
    return answer;
  }
  if (!index.has_children(own.name)) return std::nullopt;
  answer.hold = KaiHold{.summary = fmt::format("Queue {} has Queues below it, and KAI schedules "
                                               "pods of the lowest Queues alone",
                                               own.name),
                        .nearest = fmt::format("Queue {} has Queues below it", own.name)};
  answer.advice.push_back(
      {.summary = fmt::format("name a Queue below Queue {} in the pod's label", own.name),
       .command = "kubectl get queues.scheduling.run.ai"});
  return answer;
}

std::string quota_text(const KaiRoom& quota) {
  return quota.most ? "its quota is " + kai_text(quota.share, *quota.most)
                    : "its quota is unlimited";
}

std::string limit_text(const KaiRoom& limit) {
  return limit.most ? "its limit is " + kai_text(limit.share, *limit.most) : "it has no limit";
}

/// "Queue team-a: its quota is 1 GPU, its limit is 4 GPUs, and 4 GPUs are allocated, ..."
diagnose::Remark line_of(const scheduler::Cluster& cluster, const KaiQueue& queue) {
  constexpr KaiShare kGpus = KaiShare::gpus;
  const KaiRoom limit = kai_room(cluster, queue, kGpus, KaiBound::limit);
  const KaiRoom quota = kai_room(cluster, queue, kGpus, KaiBound::quota);
  std::string allocated = "how many are allocated is not known";
  if (limit.allocated) {
    const bool is_one = *limit.allocated == Quantity::of(1);
    allocated =
        fmt::format("{} {} allocated", kai_text(kGpus, *limit.allocated), is_one ? "is" : "are");
    if (quota.allocated && Quantity{} < *quota.allocated)
      allocated += fmt::format(", {} of them to pods that cannot be preempted",
                               kai_number(kGpus, *quota.allocated));
  }
  return {fmt::format("{}: {}, {}, and {}", queue_text(queue), quota_text(quota), limit_text(limit),
                      allocated)};
}

/// KAI goes by the pods of its PodGroups, its queue controller writes the status from these.
std::optional<diagnose::Remark> difference_of(const scheduler::Cluster& cluster,
                                              const KaiQueue& queue) {
  if (!queue.allocated || cluster.snapshot().pod_coverage != Coverage::whole) return std::nullopt;
  const Quantity said = amount_of(*queue.allocated, "nvidia.com/gpu");
  const Quantity held = gpus_of(cluster.shared<KaiIndex>().holders(queue.name));
  if (said == held) return std::nullopt;
  return diagnose::Remark{fmt::format(
      "the status of Queue {} says {}, and the pods that carry its label hold {}: {}", queue.name,
      kai_text(KaiShare::gpus, said), kai_text(KaiShare::gpus, held),
      said < held ? "KAI uses the pods, and the status is behind"
                  : "pods that take the Queue from their owner's label are not seen, or the status "
                    "is behind")};
}

Quantity left_of(const KaiRoom& room) {
  return *room.allocated < *room.most ? *room.most - *room.allocated : Quantity{};
}

std::string excess_text(const Excess& excess) {
  const KaiRoom& room = excess.room;
  const Quantity left = left_of(room);
  return fmt::format("the pod {}requests {}, and Queue {} has {} left of its {} of {}{}",
                     room.bound == KaiBound::quota ? "cannot be preempted and " : "",
                     kai_text(room.share, excess.more), excess.queue->name,
                     left == Quantity{} ? "none" : kai_text(room.share, left), text_of(room.bound),
                     kai_text(room.share, *room.most),
                     room.bound == KaiBound::quota ? " for such pods" : "");
}

/// Who would have to end.
std::optional<diagnose::Remark> holders_of(const KaiIndex& index, const Excess& excess) {
  constexpr std::size_t kMostNames = 5;
  if (excess.room.share != KaiShare::gpus) return std::nullopt;
  const bool is_quota = excess.room.bound == KaiBound::quota;
  const auto& all = index.holders(excess.queue->name);
  std::vector<std::string> names;
  for (const KaiHolder& each : is_quota ? non_preemptible(all) : all)
    names.push_back(fmt::format("{}/{} ({})", each.pod->ns, each.pod->name,
                                kai_number(KaiShare::gpus, each.gpus)));
  if (names.empty()) return std::nullopt;
  return diagnose::Remark{fmt::format("GPUs of Queue {} are held by pods{}: {}", excess.queue->name,
                                      is_quota ? " that cannot be preempted" : "",
                                      few_and_rest(names, kMostNames))};
}

diagnose::Advice advice_of(const Excess& excess) {
  const KaiRoom& room = excess.room;
  const bool can_ever = !(*room.most < excess.more);
  const Quantity enough = *room.allocated + excess.more;
  const std::string first =
      !can_ever ? "request less"
      : room.bound == KaiBound::quota
          ? fmt::format(
                "wait until pods of Queue {} that cannot be "
                "preempted end, or give the pod a preemptible priority",
                excess.queue->name)
          : fmt::format("wait until pods of Queue {} end", excess.queue->name);
  return {.summary = fmt::format("{}, or raise {} {} to {}", first,
                                 can_ever ? "its" : "Queue " + excess.queue->name + "'s",
                                 text_of(room.bound), kai_text(room.share, enough)),
          .command = fmt::format("kubectl patch queues.scheduling.run.ai {} --type merge -p "
                                 "'{{\"spec\":{{\"resources\":{{\"{}\":{{\"{}\":{}}}}}}}}}'",
                                 shell_quoted(excess.queue->name), kai_member(room.share),
                                 text_of(room.bound), kai_number(room.share, enough))};
}

/// The pod itself, its Queues, lowest first, and what it requests.
class Judgement {
 public:
  Judgement(const scheduler::Cluster& cluster, const Pod& pod,
            const std::vector<const KaiQueue*>& chain, Preemptible preemptible)
      : cluster_(cluster), pod_(pod), chain_(chain), preemptible_(preemptible) {}

  [[nodiscard]] KaiAnswer answer() const {
    KaiAnswer answer;
    bool has_difference = false;
    for (const KaiQueue* queue : chain_) {
      answer.remarks.push_back(line_of(cluster_, *queue));
      // What is above a Queue sums up what is below it, and differs with it.
      auto differs = has_difference ? std::nullopt : difference_of(cluster_, *queue);
      has_difference = has_difference || differs;
      if (differs) answer.remarks.push_back(*std::move(differs));
    }
    add_excesses(answer);
    add_group(answer);
    if (!answer.hold) add_fair_share(answer);
    if (!kai_amount(cluster_, pod_, KaiShare::gpus))
      answer.not_checked.emplace_back(
          "how many GPUs of its Queue the pod takes: its claims, or the memory of the card, "
          "decide");
    if (preemptible_ == Preemptible::unknown && !excesses(KaiBound::quota, own_amounts()).empty())
      answer.not_checked.push_back(fmt::format(
          "whether KAI may preempt the pod, which its PodGroup decides: if not, the quota "
          "of Queue {} holds it back",
          chain_.front()->name));
    return answer;
  }

 private:
  using Amounts = std::array<std::optional<Quantity>, kKaiShares.size()>;

  [[nodiscard]] Amounts own_amounts() const {
    Amounts amounts;
    for (const KaiShare share : kKaiShares)
      amounts.at(static_cast<std::size_t>(share)) = kai_amount(cluster_, pod_, share);
    return amounts;
  }

  /// From its own Queue up, as KAI asks.
  [[nodiscard]] std::vector<Excess> excesses(KaiBound bound, const Amounts& amounts) const {
    std::vector<Excess> found;
    for (const KaiQueue* queue : chain_)
      for (const KaiShare share : kKaiShares) {
        const auto& more = amounts.at(static_cast<std::size_t>(share));
        const KaiRoom room = kai_room(cluster_, *queue, share, bound);
        if (more && is_over(room, *more)) found.push_back({queue, room, *more});
      }
    return found;
  }

  void add_excesses(KaiAnswer& answer) const {
    std::vector<Excess> found = excesses(KaiBound::limit, own_amounts());
    if (preemptible_ == Preemptible::no) {
      std::vector<Excess> more = excesses(KaiBound::quota, own_amounts());
      std::move(more.begin(), more.end(), std::back_inserter(found));
    }
    const auto& index = cluster_.shared<KaiIndex>();
    for (const Excess& each : found) {
      if (answer.hold)
        answer.remarks.push_back({excess_text(each)});
      else
        answer.hold = KaiHold{.summary = excess_text(each),
                              .nearest = fmt::format("Queue {} is at its {}", each.queue->name,
                                                     text_of(each.room.bound))};
      if (auto holders = holders_of(index, each)) answer.remarks.push_back(*std::move(holders));
      answer.advice.push_back(advice_of(each));
    }
  }

  /// A gang starts together, of which this pod is one.
  void add_group(KaiAnswer& answer) const {
    const std::string_view group = value_of(pod_.annotations, "pod-group-name");
    if (group.empty() || answer.hold) return;
    Amounts sums = own_amounts();
    std::int64_t pods = 1;
    for (const Pod& other : cluster_.snapshot().pods) {
      if (other.ns != pod_.ns || other.uid == pod_.uid || !other.node_name.empty() ||
          is_finished(other) || value_of(other.annotations, "pod-group-name") != group)
        continue;
      ++pods;
      for (const KaiShare share : kKaiShares) {
        auto& sum = sums.at(static_cast<std::size_t>(share));
        const auto more = kai_amount(cluster_, other, share);
        if (sum && more) *sum += *more;
      }
    }
    const auto found = excesses(KaiBound::limit, sums);
    if (pods == 1 || found.empty()) return;
    const Excess& first = found.front();
    answer.remarks.push_back({fmt::format(
        "the {} pods of its group that wait request {} together, and Queue {} has {} left of its "
        "limit: they cannot all start at once",
        pods, kai_text(first.room.share, first.more), first.queue->name,
        kai_text(first.room.share, left_of(first.room)))});
    answer.advice.push_back(advice_of(first));
  }

  /// Within the limit, and beyond the quota.
  void add_fair_share(KaiAnswer& answer) const {
    const auto beyond = [&](const KaiQueue* queue) {
      const auto more = kai_amount(cluster_, pod_, KaiShare::gpus);
      KaiRoom room = kai_room(cluster_, *queue, KaiShare::gpus, KaiBound::limit);
      room.most = kai_room(cluster_, *queue, KaiShare::gpus, KaiBound::quota).most;
      return more && is_over(room, *more);
    };
    const auto found = std::find_if(chain_.begin(), chain_.end(), beyond);
    if (found == chain_.end()) return;
    answer.remarks.push_back(
        {fmt::format("with the pod, Queue {} would be over its quota: it gets such GPUs only from "
                     "what other Queues leave",
                     (*found)->name)});
  }

  const scheduler::Cluster& cluster_;
  const Pod& pod_;
  const std::vector<const KaiQueue*>& chain_;
  Preemptible preemptible_;
};

}  // namespace

std::optional<KaiAnswer> kai_answer(const scheduler::Cluster& cluster, const Pod& pod,
                                    std::string_view words) {
  const std::string_view name = kai_queue_of(pod);
  if (!is_of_kai(pod) || name.empty()) return std::nullopt;
  const auto& index = cluster.shared<KaiIndex>();
  const KaiQueue* const queue = index.queue(name);
  const Coverage coverage = coverage_of(cluster.snapshot().scheduling, "queues");
  if (queue == nullptr && coverage != Coverage::whole) return std::nullopt;
  if (queue == nullptr) return without_queue(cluster, pod);
  const std::vector<const KaiQueue*> chain = index.chain(*queue);
  if (coverage == Coverage::whole)
    if (auto closed = closed_queue(index, chain)) return closed;
  Preemptible preemptible = kai_preemptible(cluster, pod);
  if (contains(words, "NonPreemptibleOverQuota") || contains(words, "Non-preemptible workload"))
    preemptible = Preemptible::no;
  KaiAnswer answer;
  if (std::all_of(chain.begin(), chain.end(), is_unbound))
    answer.remarks.push_back(
        {chain.size() == 1 ? fmt::format("Queue {} limits nothing", name)
                           : fmt::format("Queue {} and the Queues above it limit nothing", name)});
  else
    answer = Judgement(cluster, pod, chain, preemptible).answer();
  answer.not_checked.push_back(fmt::format(
      "priority, overQuotaWeight and fair share of Queue {}, and minMember of the pod's PodGroup",
      name));
  if (queue->parent.empty())
    answer.not_checked.push_back(fmt::format(
        "whether KAI schedules pods of Queue {}, which has no parent: older versions do not",
        name));
  return answer;
}

}  // namespace gpu::admission
