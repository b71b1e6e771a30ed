#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "schedule/judge.hpp"
#include "schedule/messages.hpp"
#include "schedule/overlay.hpp"
#include "schedule/subject.hpp"

namespace gpu::schedule {
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

/// Nothing where other pods cannot help on this node, else the status that preemption starts from.
Rejection status_for_preemption(const Verdict& verdict, const NodeVerdict& node) {
  if (const PodRejection* const rejection = decisive_rejection(verdict); rejection != nullptr)
    return rejection->rejection;
  return node.is_left_out ? Rejection::unresolvable : status_of(first_of(node));
}

/// Empty where the pod may preempt others.
std::string not_eligible(const Cluster& cluster, const Pod& pod, const Verdict& verdict) {
  if (pod.preemption_policy == "Never") return "not eligible due to preemptionPolicy=Never.";
  const std::optional<std::size_t> nominated = cluster.node_named(pod.nominated_node);
  if (!nominated) return {};
  for (const NodeVerdict& node : verdict.nodes)
    if (node.node == *nominated && status_for_preemption(verdict, node) == Rejection::unresolvable)
      return {};
  for (const BoundPod& other : cluster.nodes()[*nominated].pods)
    if (other.priority < pod.priority.value_or(0) && is_being_preempted(*other.pod))
      return "not eligible due to a terminating pod on the nominated node.";
  return {};
}

}  // namespace

PreemptionVerdict preempt(const Cluster& cluster, const Pod& pod, const Verdict& verdict) {
  PreemptionVerdict answer;
  answer.message = not_eligible(cluster, pod, verdict);
  if (!answer.message.empty()) return answer;

  const std::int32_t priority = pod.priority.value_or(0);
  const Overlay overlay(cluster);
  std::optional<Subject> subject;  // made for the first node that needs it
  Refusals refusals;
  Histogram reasons;
  const auto count = [&](std::string_view reason) {
    if (const auto known = reasons.find(reason); known != reasons.end()) {
      ++known->second;
    } else {
      reasons.emplace(reason, 1);
    }
  };
  for (const NodeVerdict& node : verdict.nodes) {
    if (status_for_preemption(verdict, node) == Rejection::unresolvable) {
      count("Preemption is not helpful for scheduling");
      continue;
    }
    NodeView view = overlay.view(node.node);
    for (const BoundPod& other : view.state.pods)
      if (other.priority < priority) view.gone.push_back(other.pod);
    if (view.gone.empty()) {
      count("No preemption victims found for incoming pod");
      continue;
    }
    if (!subject) subject.emplace(overlay, pod);
    subject->ask(view, Depth::first, refusals);
    for (const Blocker& blocker : refusals.found()) count(refusals.text(blocker));
    if (refusals.is_empty()) answer.nodes.push_back(node.node);
  }
  if (answer.nodes.empty())
    answer.message = unavailable_head(cluster.nodes().size()) + unavailable_body(reasons);
  return answer;
}

}  // namespace gpu::schedule
