#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/cluster/overlay.hpp"
#include "scheduler/cycle/judge.hpp"
#include "scheduler/cycle/lower_pods.hpp"
#include "scheduler/cycle/messages.hpp"
#include "scheduler/cycle/prepared_filters.hpp"

namespace gpu::scheduler {
namespace {

/// Whether the scheduler itself ends the pod to make room.
bool is_being_preempted(const Pod& pod) {
  if (!pod.deleted) return false;
  const auto condition =
      std::find_if(pod.conditions.begin(), pod.conditions.end(),
                   [](const Condition& each) { return each.type == "DisruptionTarget"; });
  return condition != pod.conditions.end() && condition->status == "True" &&
         condition->reason == "PreemptionByScheduler";
}

/// The scheduler's status of nodes: one reason for which nothing helps is enough.
Rejection status_of(const std::vector<FilterFailure>& blockers) {
  const bool is_any = std::any_of(blockers.begin(), blockers.end(), [&](const FilterFailure& it) {
    return it.filter == blockers.front().filter && it.rejection == Rejection::unresolvable;
  });
  return is_any ? Rejection::unresolvable : Rejection::unschedulable;
}

/// The statuses that preemption starts from. Refers to the verdict.
class Statuses {
 public:
  explicit Statuses(const Verdict& verdict) : rejection_(decisive_rejection(verdict)) {
    for (const std::vector<FilterFailure>& blockers : verdict.blocker_lists)
      by_list_.push_back(status_of(blockers));
  }

  /// Unresolvable where other pods cannot help on this node.
  [[nodiscard]] Rejection of(const NodeVerdict& node) const {
    if (rejection_ != nullptr) return rejection_->rejection;
    return node.is_left_out ? Rejection::unresolvable : by_list_[node.blockers];
  }

 private:
  const PodRejection* rejection_;
  std::vector<Rejection> by_list_;  ///< of verdict.blocker_lists
};

/// Empty where the pod may preempt others.
std::string not_eligible(const Cluster& cluster, const Pod& pod, const Verdict& verdict,
                         const Statuses& statuses) {
  if (pod.preemption_policy == "Never") return "not eligible due to preemptionPolicy=Never.";
  const std::optional<std::size_t> nominated = cluster.node_named(pod.nominated_node);
  if (!nominated) return {};
  for (const NodeVerdict& node : verdict.nodes)
    if (node.node == *nominated && statuses.of(node) == Rejection::unresolvable) return {};
  for (const BoundPod& other : cluster.nodes()[*nominated].pods)
    if (other.priority < pod.priority.value_or(0) && is_being_preempted(*other.pod))
      return "not eligible due to a terminating pod on the nominated node.";
  return {};
}

/// Looks for room on one node after another, as if all pods of lower priority there were gone.
class Search {
 public:
  Search(const Cluster& cluster, const Pod& pod, const Verdict& verdict)
      : overlay_(cluster),
        pod_(pod),
        lower_(cluster.shared<LowerPods>().below(pod.priority.value_or(0))),
        has_rejections_(!verdict.rejections.empty()) {}

  /// Whether the pod then fits; if not, the reasons are counted.
  bool makes_room(std::size_t node) {
    if (lower_.pods(node) == 0) {
      ++without_victims_;
      return false;
    }
    if (!filters_) filters_.emplace(overlay_, pod_);
    if (!is_told_by_resources(node)) ask_without_victims(node);
    for (const FilterFailure& blocker : findings_.found()) {
      if (counts_.size() <= blocker.reason) counts_.resize(blocker.reason + std::size_t{1});
      ++counts_[blocker.reason];
    }
    return findings_.is_empty();
  }

  /// What ended the search on some nodes; empty where nothing did.
  [[nodiscard]] std::string error() const {
    std::string all;
    for (const std::string& each : errors_) all += (all.empty() ? "" : ", ") + each;
    return errors_.size() > 1 ? "[" + all + "]" : all;
  }

  [[nodiscard]] Histogram take_reasons() {
    Histogram reasons;
    const std::vector<std::string> texts = findings_.take_reasons();
    for (std::size_t i = 0; i < counts_.size(); ++i)
      if (counts_[i] > 0) reasons[texts[i]] += counts_[i];
    if (without_victims_ > 0)
      reasons["No preemption victims found for incoming pod"] += without_victims_;
    return reasons;
  }

 private:
  /// Whether NodeResourcesFit has the last word: it refuses, or nothing comes after it. What comes
  /// before it asks nothing of other pods, and has let this one through.
  bool is_told_by_resources(std::size_t node) {
    const NodeState& state = overlay_.state(node);
    if (has_rejections_ || !state.nominated.empty() || !filters_->asks_resources_first() ||
        !filters_->resources().has_exact_sums(state))
      return false;
    findings_.start_node();
    findings_.start_filter(Filter::node_resources_fit);
    filters_->resources().ask_without(state, lower_.pods(node), lower_.requests(node), findings_);
    return !findings_.is_empty() || filters_->asks_resources_last();
  }

  void ask_without_victims(std::size_t node) {
    NodeView view = overlay_.view(node);
    view.gone = std::move(victims_);
    view.gone.clear();
    for (const BoundPod& other : view.state.pods)
      if (other.priority < pod_.priority.value_or(0)) view.gone.push_back(other.pod);
    filters_->ask(view, Depth::first, findings_);
    if (findings_.error()) errors_.insert(findings_.error()->message());
    victims_ = std::move(view.gone);  // its memory serves the next node
  }

  const Overlay overlay_;
  const Pod& pod_;
  const LowerPods::Sums& lower_;
  bool has_rejections_;
  std::optional<PreparedFilters> filters_;  ///< made for the first node that needs it
  Findings findings_;
  std::set<std::string> errors_;
  std::vector<std::size_t> counts_;  ///< by place of the reason
  std::size_t without_victims_ = 0;
  std::vector<const Pod*> victims_;
};

}  // namespace

PreemptionVerdict preempt(const Cluster& cluster, const Pod& pod, const Verdict& verdict) {
  PreemptionVerdict answer;
  const Statuses statuses(verdict);
  answer.message = not_eligible(cluster, pod, verdict, statuses);
  if (!answer.message.empty()) return answer;

  Search search(cluster, pod, verdict);
  std::size_t not_helpful = 0;
  for (const NodeVerdict& node : verdict.nodes) {
    if (statuses.of(node) == Rejection::unresolvable) {
      ++not_helpful;
    } else if (search.makes_room(node.node)) {
      answer.nodes.push_back(node.node);
    }
  }
  if (!answer.nodes.empty()) return answer;
  if (answer.message = search.error(); !answer.message.empty()) {
    answer.is_error = true;
    return answer;
  }
  Histogram reasons = search.take_reasons();
  if (not_helpful > 0) reasons["Preemption is not helpful for scheduling"] += not_helpful;
  answer.message = unavailable_head(cluster.nodes().size()) + unavailable_body(reasons);
  return answer;
}

}  // namespace gpu::scheduler
