#include "diagnose/lifecycle/preemption_note.hpp"

#include <fmt/format.h>

#include "base/contains.hpp"
#include "base/time.hpp"
#include "scheduler/cycle/judge.hpp"

namespace gpu::diagnose {

std::optional<Remark> preemption_note(const scheduler::Cluster& cluster, const Pod& pod,
                                      const scheduler::Verdict& verdict,
                                      const Explanation& answer) {
  if (!pod.nominated_node.empty()) return std::nullopt;
  const bool is_willing = pod.preemption_policy != "Never";
  // A search that found nobody is told there.
  if (is_willing && contains(answer.predicted_message, "preemption:")) return std::nullopt;
  Pod willing = pod;
  willing.preemption_policy.clear();
  const scheduler::PreemptionVerdict preemption = preempt(cluster, willing, verdict);
  if (preemption.is_error || preemption.nodes.empty()) return std::nullopt;
  if (!is_willing)
    return Remark{
        "pods of lower priority hold what it needs, but it may not preempt "
        "them: its preemptionPolicy is Never"};
  const std::string where = preemption.nodes.size() == 1
                                ? cluster.nodes()[preemption.nodes.front()].node->name
                                : fmt::format("each of {} nodes", preemption.nodes.size());
  const std::string since = answer.waiting
                                ? fmt::format("; it has not in the {} that the pod waits",
                                              human_duration(*answer.waiting))
                                : "; it has not yet";
  return Remark{
      fmt::format("the scheduler may make room by itself: on {}, ending pods of a "
                  "priority below {} is enough{}",
                  where, pod.priority.value_or(0), since)};
}

}  // namespace gpu::diagnose
